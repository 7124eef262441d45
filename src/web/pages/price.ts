import * as z from 'zod'
import { assetBySlug } from '../../contract/assets.ts'
import { notFound } from '../../contract/errors.ts'
import { html } from '../html.ts'
import { page } from '../page.ts'

/** `/prices/<slug>`, the `page` of every observation: the latest price, or that there is none. */
export const pricePage = page({
  path: '/prices/{slug}',
  pathSchema: z.object({ slug: z.string() }),
  render({ path }) {
    const asset = assetBySlug(path.slug)
    if (!asset) throw notFound('There is no index of that name.')
    return { title: asset.code, section: asset.slug, main: html`<p>${asset.name}</p>` }
  },
})
