/** True if all bytes are printable ASCII or its white space. Twenty random bytes are so once in two hundred million. */
export function isPrintable(bytes: Uint8Array): boolean {
  return bytes.every((byte) => (byte >= 0x20 && byte <= 0x7e) || (byte >= 0x09 && byte <= 0x0d))
}
