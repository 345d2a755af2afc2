/** Runs a step, and prints its name with how it went and how long it took. */
export async function step(name, work) {
  const begin = performance.now()
  const say = (result) => console.log(`${result} ${name} ${((performance.now() - begin) / 1000).toFixed(1)} s`)
  try {
    const result = await work()
    say("ok  ")
    return result
  } catch (error) {
    say("FAIL")
    throw error
  }
}
