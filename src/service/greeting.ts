/** Greeting in a terminal once the service is ready: its URL, and three things to try. */
import { BASE_PATH } from '../api/contract/identity.ts'

export function greeting(url: URL, isFilling: boolean, key?: string): string {
  const at = (path: string) => new URL(path, url).href
  return `
Ready: ${url.href}${isFilling ? '\nIt is filling itself with sample data: prices follow within a minute.' : ''}

  ${at('/')}   the prices, in a browser
  curl ${at(`${BASE_PATH}/today`)}   the same for programs
  ${at(`${BASE_PATH}/docs`)}   every endpoint, to try
${key === undefined ? '' : keyText(key, at(`${BASE_PATH}/prices/pun/series?format=csv`), at('/sql'))}
Ctrl-C stops it.

`
}

/** Shown on a first local start. */
function keyText(key: string, address: string, sqlPage: string): string {
  return `
A key of the Trading plan for this machine, shown only now:

  ${key}

  curl -H 'Authorization: Bearer ${key}' '${address}'
  ${sqlPage}   SQL, with this key

`
}
