/** Names a browser among those of all services, since their ids may be the same. `service`: see `ServiceConnection.key`. */
export function keyInService(service: string, browserId: string): string {
  return JSON.stringify([service, browserId]);
}
