// Prompts as developers write them: a few words often and many words seldom, code, and one in five Chinese.

import type { ImportedPrompt } from "@treelog/history-sqlite"
import { Random } from "@treelog-internal/test-kit/generator"

const SYLLABLES =
  "ba be bi bo ca ce co da de do fa fi ga ge ha he ja ka ki la le li lo ma me mi mo na ne no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi wa xi ya zo st tr ing er ion ent al".split(
    " ",
  )
const COMMON =
  "fix the test in a and add to of for error file function please why is this not working refactor implement update run build commit database server client config login page button user auth token request response memory leak cache index search query session history prompt model agent tool parse write read delete create move rename type class module package import export async await promise stream buffer string number array object map set list tree node path branch merge rebase conflict docker deploy release version bug issue feature docs readme typescript python rust".split(
    " ",
  )
const HAN = [
  ..."的一是了我不在人们有来他这上着个地到大里说就去子得也和那要下看天时过出小么起你都把好还多没为又可家学只以主会样年想生同老中十从自面前头道它后然走很像见两用她国动进成回什边作对开而己些现山民候经发工向事命给长水几义三声于高手知理眼志点心战二问但身方实吃做叫当住听革打呢真全才四已所敌之最光产情路分总条白话东席次亲如被花口放儿常气五第使写军吧文运再果怎定许快明行因别飞外树物活部门无往船望新带队先力完却站代员机更九您每风级跟笑啊孩万少直意夜比阶连车重便斗马哪化太指变社似士者干石满日决百原拿群究各六本思解立河村八难早论吗根共让相研今其书坐接应关信觉步反处记将千找争领或师结块跑谁草越字加脚紧爱等习阵怕月青半火法题建赶位唱海七女任件感准张团屋离色脸片科倒睛利世刚且由送切星导晚表够整认响雪流未场该并底深刻平伟忙提确近亮轻讲农古黑告界拉名呀土清阳照办史改历转画造嘴此治北必服雨穿内识验传业菜爬睡兴形量咱观苦体众通冲合破友度术饭公旁房极南枪读沙岁线野坚空收算至政城劳落钱特围弟胜教热展包歌类渐强数乡呼性音答哥际旧神座章帮啦受系令跳非何牛取入岸敢掉忽种装顶急林停息句区衣般报叶压慢叔背细",
]
const START = Date.UTC(2022, 0, 1)
const FOUR_YEARS = 4 * 365 * 86_400_000

/** Where the seldom used words, the texts and the folders come from. */
export interface TextSource {
  /** A prompt. */
  text(): string
  /** A whole number from 0 on, below the limit. */
  below(limit: number): number
  /** One of a list; the n-th is about n times rarer than the first. */
  pickEarly<Item>(list: readonly Item[]): Item
}

/** Texts from a seed; the words are the same for every seed. */
export function textSource(seed: number): TextSource {
  const words = wordList(new Random(1), 20_000)
  const random = new Random(seed)
  const below = (limit: number): number => random.below(limit)
  const pickEarly = <Item>(list: readonly Item[]): Item => list[Math.floor(list.length ** random.next() - 1)] as Item
  const word = (): string => {
    const kind = random.next()
    if (kind < 0.03) return `${pickEarly(words)}_${pickEarly(words)}`
    if (kind < 0.05) return `${pickEarly(words)}.${pickEarly(words)}`
    return kind < 0.06 ? `\`${pickEarly(words)}()\`` : pickEarly(words)
  }
  const text = (): string => {
    if (random.chance(0.02)) return ["continue", "yes", "go on", "继续"][below(4)] as string
    if (random.chance(0.2)) return Array.from({ length: 6 + below(40) }, () => pickEarly(HAN)).join("")
    return Array.from({ length: 3 + Math.floor(random.next() ** 2 * 35) }, word).join(" ")
  }
  return { text, below, pickEarly }
}

/** Prompts over four years, oldest first, in 200 folders and sessions of 50 prompts. */
export function* prompts(count: number): Generator<ImportedPrompt> {
  const { text, pickEarly } = textSource(6)
  const folders = Array.from({ length: 200 }, (_, number) => `/home/user/project-${number}`)
  for (let at = 0; at < count; at++) {
    const createdAt = START + Math.floor((at * FOUR_YEARS) / count)
    yield { text: text(), createdAt, cwd: pickEarly(folders), sessionId: `session-${Math.floor(at / 50)}` }
  }
}

function wordList(random: Random, count: number): string[] {
  const words = [...COMMON]
  const syllable = (): string => random.pick(SYLLABLES)
  while (words.length < count) words.push(Array.from({ length: random.between(2, 4) }, syllable).join(""))
  return words
}

/** Characters of a query that are typed one by one. */
const MOST_TYPED = 20

/** What is typed into the search of prompts, keystroke by keystroke, by kind. The same at each call. */
export function typedQueries(): Record<string, readonly string[]> {
  const { text, below } = textSource(77)
  const pick = (list: readonly string[]): string => list[below(list.length)] as string
  const word = (): string => pick(text().split(" "))
  const han = (length: number): string => {
    for (;;) {
      const [start, characters] = [below(20), [...text()]]
      if (characters.length > start + length && (characters[0] as string) > "\u3000")
        return characters.slice(start, start + length).join("")
    }
  }
  const sample = (count: number, make: () => string): string[] => Array.from({ length: count }, make)
  return {
    words: sample(40, word).flatMap(keystrokes),
    "two words": sample(30, () => `${word()} ${word()}`).flatMap(keystrokes),
    infixes: sample(40, () => word().slice(1)).flatMap(keystrokes),
    "1 Chinese character": sample(60, () => han(1)),
    "2 Chinese characters": sample(60, () => han(2)),
    "3 Chinese characters": sample(60, () => han(3)),
    "words that nobody used": sample(30, () => `${word()}qz`).flatMap(keystrokes),
  }
}

function keystrokes(query: string): string[] {
  const characters = [...query]
  return characters.slice(0, MOST_TYPED).map((_, at) => characters.slice(0, at + 1).join(""))
}
