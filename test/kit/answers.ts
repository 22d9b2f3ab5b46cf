/** A person at the terminal, answering one question after the other. */

export type Step = readonly [question: RegExp, keys: string]

/** For `dialogue` of `paydesk()`: types the keys of a step when its question has been drawn, and the next step after that. */
export function answers(...steps: readonly Step[]): (screen: string, type: (keys: string) => void) => void {
  let at = 0
  let looked = 0
  return (screen, type) => {
    const step = steps[at]
    if (!step?.[0].test(screen.slice(looked))) return
    at += 1
    looked = screen.length
    // The question is drawn before its keys are heard.
    setTimeout(() => type(step[1]), 20)
  }
}
