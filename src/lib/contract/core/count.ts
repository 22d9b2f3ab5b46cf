/** A count and the words that follow it: "1 row", "60 rows"; with their verb, where it differs, as two texts. */
export function howMany(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count} ${Number(count) === 1 ? one : many}`
}
