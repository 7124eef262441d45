/** What a terminal shows once the service answers: where it is, and three things to try. */
import { BASE_PATH } from '../api/contract/identity.ts'

export function greeting(url: URL, isFilling: boolean): string {
  const at = (path: string) => new URL(path, url).href
  return `
Ready: ${url.href}${isFilling ? '\nIt is filling itself with sample data: prices follow within a minute.' : ''}

  ${at('/')}   the prices, in a browser
  curl ${at(`${BASE_PATH}/today`)}   the same for programs
  ${at(`${BASE_PATH}/docs`)}   every endpoint, to try

Ctrl-C stops it.

`
}
