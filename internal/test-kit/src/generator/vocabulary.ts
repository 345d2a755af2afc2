/** What the people and models of generated sessions talk about. */
export const WORDS =
  "the a of to and in is it for with when that this not but cart price order basket checkout discount invoice tax refund " +
  "shipping address customer session token cookie header request response retry timeout queue worker job cron batch cache index query " +
  "table column row migration schema type field enum union promise stream buffer chunk parser lexer node leaf branch merge commit diff " +
  "render layout button form input label modal theme colour font route page link test fixture mock assert snapshot coverage build bundle " +
  "deploy container volume network socket port proxy certificate metric trace log alert threshold budget quota limit window cursor offset"

/** Beyond ASCII: accents, CJK, a right-to-left word, emoji that are surrogate pairs. */
export const WIDE_WORDS = "naïve café größe señal 会话 结账 折扣码 テスト 分岐 세션 שלום 🙂 🚀 ✅ — “quoted” …"

export const FOLDERS =
  "src/checkout src/cart src/api lib/format test/unit packages/core/src server/routes web/components"

export const FILE_NAMES =
  "form.tsx price.ts discount.ts order-service.ts parse-line.ts index.ts session.test.ts schema.sql README.md"

export const COMMANDS = [
  "npm test",
  "git status --short",
  "rg -n 'discount' src | head -50",
  "npx tsc --noEmit",
  'node -e "console.log(process.version)"',
  "ls -la && cat package.json",
  "docker compose logs --tail=200 api",
]

export const CODE_LINES = [
  "export function total(items: readonly Item[], code?: string): number {",
  "  const sum = items.reduce((all, { price, count }) => all + price * count, 0)",
  '  if (code === "") throw new RangeError("A code has at least one character.")',
  "  return code ? sum - discountOf(code, sum) : sum",
  "}",
  "",
  "\t// 折扣不能超过总额",
  'describe("checkout", () => {',
  "  test('keeps the \\\"code\\\" field', async () => {",
  "    await page.fill('input[name=\"code\"]', 'SPRING\\\\10')",
  "    expect(await page.textContent('.total')).toBe('€ 90,00')",
  "SELECT id, parent_id, payload->>'type' FROM entries WHERE session_id = $1 ORDER BY id;",
  "  at Object.<anonymous> (/home/dev/shop/src/checkout/form.tsx:41:17)",
  "\u001b[31m✗\u001b[39m total › rejects an unknown code (12 ms)",
  "-rw-r--r-- 1 dev dev 18341 Mar  7 14:02 order-service.ts",
]
