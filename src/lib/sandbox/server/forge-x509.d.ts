/** The part of node-forge that makes certificates; it brings no types of its own. All texts are bytes as Latin-1. */
declare module 'node-forge/lib/asn1.js' {
  const asn1: { fromDer(bytes: string): object }
  export default asn1
}

declare module 'node-forge/lib/sha256.js' {
  const sha256: { create(): object }
  export default sha256
}

declare module 'node-forge/lib/x509.js' {
  interface Attribute {
    readonly name: string
    readonly value: string
  }

  export interface ForgeCertificate {
    publicKey: object
    serialNumber: string
    validity: { notBefore: Date; notAfter: Date }
    setSubject(attributes: readonly Attribute[]): void
    setIssuer(attributes: readonly Attribute[]): void
    setExtensions(extensions: readonly object[]): void
    generateSubjectKeyIdentifier(): { getBytes(): string }
    sign(key: object, digest: object): void
  }

  const pki: {
    createCertificate(): ForgeCertificate
    certificateToPem(certificate: ForgeCertificate): string
    privateKeyFromAsn1(asn1: object): object
    publicKeyFromAsn1(asn1: object): object
  }
  export default pki
}
