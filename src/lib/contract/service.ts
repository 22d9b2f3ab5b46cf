/**
 * Which service an address means. Ids and business keys are the service's, whatever prefix its address is written with; the
 * sandbox has a name in the place of an address.
 */
export function originOf(service: string): string {
  return service.startsWith('http') ? new URL(service).origin : service
}
