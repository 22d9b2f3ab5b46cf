/** The part of node-forge that is used; its own types do not know it. All texts are bytes as Latin-1. */
declare module 'node-forge/lib/pkcs1.js' {
  export interface MessageDigest {
    readonly digestLength: number
    start(): unknown
    update(bytes: string): unknown
    digest(): { getBytes(): string }
  }

  interface Options {
    readonly md: MessageDigest
    readonly mgf1: { readonly md: MessageDigest }
    readonly label: string
  }
  type Size = { readonly n: { bitLength(): number } }

  const pkcs1: {
    decode_rsa_oaep(key: Size, block: string, options: Options): string
  }
  export default pkcs1
}
