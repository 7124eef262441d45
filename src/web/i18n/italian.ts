/** Italian articles before a number. */

type Article = 'il' | 'al' | 'dal' | 'Dal' | 'del'

const BEFORE_VOWEL: Record<Article, string> = { il: 'l’', al: 'all’', dal: 'dall’', Dal: 'Dall’', del: 'dell’' }
const BEFORE_ZERO: Record<Article, string> = { il: 'lo ', al: 'allo ', dal: 'dallo ', Dal: 'Dallo ', del: 'dello ' }

/**
 * The article before a day or a percentage, as the number is read aloud: `del` 7 nov, but `dell’` 8 nov (otto), `l’` 81% (ottantuno), `lo`
 * 0%. The first of a month is read as primo, 1% as uno.
 */
export function article(word: Article, before: string): string {
  if (/^(?:8\d?|11)(?!\d)|^1(?=[,%])/.test(before)) return BEFORE_VOWEL[word]
  return /^0(?=[,%])/.test(before) ? BEFORE_ZERO[word] : `${word} `
}
