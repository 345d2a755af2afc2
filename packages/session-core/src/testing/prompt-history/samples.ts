import type { ImportedPrompt } from "../../ports/prompt-history.js"

/** Random numbers from a seed, so that a failing test can be repeated. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** From 0 up to, but not including, `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (((mixed ^ (mixed >>> 14)) >>> 0) % limit) | 0
  }

  pick<Value>(values: ArrayLike<Value>): Value {
    return values[this.below(values.length)] as Value
  }

  /** Picks earlier values more often, like the frequencies of words. */
  pickEarly<Value>(values: ArrayLike<Value>): Value {
    return values[Math.min(this.below(values.length), this.below(values.length), this.below(values.length))] as Value
  }
}

const WORDS =
  `fix the test in a and add to of for error file function please why is this not working refactor implement update
run build commit database server client config login page button user auth token request response memory leak cache index search
query session history prompt model agent tool parse write read delete create move rename type class module package import export
async await promise stream buffer string number array object map set list tree node path branch merge rebase conflict docker
deploy release version bug issue feature docs readme café naïve Straße Ünïcode Ελληνικά Москва ß İstanbul`.split(/\s+/)
const CODE = 'snake_case|foo.bar|C++|C#|`await x()`|a*b|NEAR(x, y)|"quoted"|it\'s|--flag=1|50%'.split("|")
const SIGNS = ["src/index.ts:12", "👩‍👩‍👧", "😀", "❤️", "🇪🇺", "{}", "\\d+", "x_y", "ｆｕｌｌ", "①", "ﬁle"]
const HAN =
  "的一是了我不在人们有来他这上着个地到大里说就去子得也和那要下看天时过出小么起你都把好还多没为又可家学只以主会样年想生同老中十从自面前头道它后然走很像见两用她国动进成回什边作对开而己些现山民候经发工向事命给长水几义三声于高手知理眼志点心战二问但身方实吃做叫当住听革打呢真全才四已所敌之最光产情路分总条白话东席次亲如被花口放儿常气五第使写军吧文运再果怎定许快明行因别飞外树物活部门无往船望新带队先力完却站代员机更九您每风级跟笑啊孩万少直意夜比阶连车重便斗马哪化太指变社似士者干石满日决百原拿群究各六本思解立河村八难早论吗根共让相研今其书坐接应关信觉步反处记将千找争领或师结块跑谁草越字加脚紧爱等习阵怕月青半火法题建赶位唱海七女任件感准张团屋离色脸片科倒睛利世刚且由送切星导晚表够整认响雪流未场该并底深刻平伟忙提确近亮轻讲农古黑告界拉名呀土清阳照办史改历转画造嘴此治北必服雨穿内识验传业菜爬睡兴形量咱观苦体众通冲合破友度术饭公旁房极南枪读沙岁线野坚空收算至政城劳落钱特围弟胜教热展包歌类渐强数乡呼性音答哥际旧神座章帮啦受系令跳非何牛取入岸敢掉忽种装顶急林停息句区衣般报叶压慢叔背细"
const KANA = "あいうえおかきくけこがぎぐげごアイウエオカキクケコパピプペポ"
const HANGUL = "가나다라마바사아자차카타파하실패빌드수정"

const FOLDERS = Array.from({ length: 12 }, (_, index) => `/home/user/project-${index}`)

/** The text of a typed or pasted prompt. */
function sampleText(random: Random): string {
  const kind = random.below(10)
  if (kind < 2)
    return characters(random, HAN, 4 + random.below(30)) + (random.below(3) === 0 ? ` ${sampleWord(random)}` : "")
  if (kind === 2) return characters(random, random.pick([KANA, HANGUL]), 2 + random.below(20))
  if (kind === 3 && random.below(4) === 0) return random.pick(["continue", "yes", "go on", "继续"])
  const words = Array.from({ length: 2 + random.below(14) }, () => sampleWord(random))
  return words.join(random.below(20) === 0 ? "\n" : " ")
}

function sampleWord(random: Random): string {
  const kind = random.below(30)
  if (kind === 0) return random.pick(CODE)
  if (kind === 1) return random.pick(SIGNS)
  if (kind === 2) return characters(random, HAN, 1 + random.below(3))
  if (kind < 6) return characters(random, "abcdefghijklmnopqrstuvwxyz", 2 + random.below(8))
  const word = random.pickEarly(WORDS)
  return kind === 6 ? word.toUpperCase() : word
}

/** Prompts of the past, not sorted by time. */
export function samplePrompts(random: Random, count: number): ImportedPrompt[] {
  return Array.from({ length: count }, () => ({
    text: sampleText(random),
    createdAt: Date.UTC(2025, 0, 1) + random.below(10_000_000) * 1000,
    cwd: random.pickEarly(FOLDERS),
    sessionId: `s${random.below(400)}`,
  }))
}

function characters(random: Random, alphabet: string, count: number): string {
  const all = [...alphabet]
  return Array.from({ length: count }, () => random.pickEarly(all)).join("")
}

/** Unusual queries. */
const ODD = [
  ...["", " ", "\t\n", "\0", "\ud800", "\u200d", "e\u0301", "\u0080", "\u00801"],
  ...["x y z", "的 a", "NEAR(x, 2)", "OR NOT", "a AND b", "`", "`await"],
  ...String.raw`* " "" ' NEAR( AND ^ : grams:x ( ) {} C++ c# foo.bar snake_case _case o.b - -- --flag % _ 50% \ \d ; a*
😀 👩 ❤ ❤️ 🇪 ① 1 ﬁ fi ss ß STRASSE İ i ı é Ж москва ΕΛΛΗΝΙΚΑ か が ガ ｶﾞ 가 각 ㄱ FULL ｆｕ 的 zzzzzz q qz`.split(/\s/),
]

/** Queries: parts of possible prompts, and unusual ones. */
export function sampleQueries(random: Random, count: number): string[] {
  const queries = [...ODD, "x".repeat(10_000), "fix the ".repeat(1250), "的".repeat(3000)]
  while (queries.length < count) queries.push(sampleQuery(random))
  return queries.slice(0, count)
}

function sampleQuery(random: Random): string {
  const word = sampleWord(random)
  const prompt = [...sampleText(random)]
  const start = random.below(prompt.length)
  const kinds = [
    () => word,
    () => word.slice(0, 1 + random.below(word.length)),
    () => word.slice(random.below(word.length)),
    () => `${sampleWord(random)} ${word.slice(0, 2)}`,
    () => prompt.slice(start, start + 1 + random.below(3)).join(""),
    () => prompt.slice(start, start + 1 + random.below(12)).join(""),
  ]
  return random.pick(kinds)()
}
