// A million prompts as developers write them: a few words often and many words seldom, code, and one in five Chinese.

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

/** Numbers in [0, 1) from a seed. */
function random(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Texts from a seed; the words are the same for every seed. */
export function textSource(seed) {
  const words = wordList(random(1), 20_000)
  const next = random(seed)
  const below = (limit) => Math.floor(next() * limit)
  // The n-th of a list is about n times rarer than the first.
  const zipf = (list) => list[Math.floor(list.length ** next() - 1)]
  const word = () => {
    const kind = next()
    if (kind < 0.03) return `${zipf(words)}_${zipf(words)}`
    if (kind < 0.05) return `${zipf(words)}.${zipf(words)}`
    return kind < 0.06 ? `\`${zipf(words)}()\`` : zipf(words)
  }
  const text = () => {
    if (next() < 0.02) return ["continue", "yes", "go on", "继续"][below(4)]
    if (next() < 0.2) return Array.from({ length: 6 + below(40) }, () => zipf(HAN)).join("")
    return Array.from({ length: 3 + Math.floor(next() ** 2 * 35) }, word).join(" ")
  }
  return { text, below, zipf }
}

/** Prompts over four years, oldest first, in 200 folders and sessions of 50 prompts. */
export function* prompts(count) {
  const { text, zipf } = textSource(6)
  const folders = Array.from({ length: 200 }, (_, number) => `/home/user/project-${number}`)
  for (let at = 0; at < count; at++) {
    const createdAt = START + Math.floor((at * 4 * 365 * 86_400_000) / count)
    yield { text: text(), createdAt, cwd: zipf(folders), sessionId: `session-${Math.floor(at / 50)}` }
  }
}

/** What is typed, keystroke by keystroke, by kind. */
export function typedQueries() {
  const { text, below } = textSource(77)
  const wordsOf = () => text().split(" ")
  const pick = (list) => list[below(list.length)]
  const han = (length) => {
    for (;;) {
      const [start, part] = [below(20), [...text()]]
      if (part.length > start + length && part[0] > "\u3000") return part.slice(start, start + length).join("")
    }
  }
  const typed = (query) => [...query].slice(0, 20).map((_, at) => [...query].slice(0, at + 1).join(""))
  const sample = (count, make) => Array.from({ length: count }, make)
  return {
    words: sample(40, () => pick(wordsOf())).flatMap(typed),
    "two words": sample(30, () => `${pick(wordsOf())} ${pick(wordsOf())}`).flatMap(typed),
    infixes: sample(40, () => pick(wordsOf()).slice(1)).flatMap(typed),
    "1 Chinese": sample(60, () => han(1)),
    "2 Chinese": sample(60, () => han(2)),
    "3 Chinese": sample(60, () => han(3)),
    "not there": sample(30, () => `${pick(wordsOf())}qz`).flatMap(typed),
  }
}

function wordList(next, count) {
  const words = [...COMMON]
  while (words.length < count)
    words.push(
      Array.from({ length: 2 + Math.floor(next() * 3) }, () => SYLLABLES[Math.floor(next() * SYLLABLES.length)]).join(
        "",
      ),
    )
  return words
}
