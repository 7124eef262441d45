/** The five indices of the contract. Spec: "Asset codes", "Price observation". */

export const ASSET_CODES = ['PUN', 'PSV', 'TTF', 'Brent', 'CO2'] as const
export type AssetCode = (typeof ASSET_CODES)[number]

export const ASSET_SLUGS = ['pun', 'psv', 'ttf', 'brent', 'co2'] as const
/** The spelling of an asset in paths and requests. */
export type AssetSlug = (typeof ASSET_SLUGS)[number]

export interface Asset {
  code: AssetCode
  slug: AssetSlug
  /** Long name, the `asset_name` of an observation. */
  name: string
  /** Unit in which the source publishes and in which prices are stored. */
  nativeUnit: '€/MWh' | '$/bbl' | '€/tCO2'
  /** Unit of `value` in an observation: €/kWh for energy and gas, else the native unit. */
  unit: '€/kWh' | '$/bbl' | '€/tCO2'
}

export const ASSETS: Record<AssetCode, Asset> = {
  PUN: {
    code: 'PUN',
    slug: 'pun',
    name: 'PUN Index: national single price of electricity, day-ahead market',
    nativeUnit: '€/MWh',
    unit: '€/kWh',
  },
  PSV: {
    code: 'PSV',
    slug: 'psv',
    name: 'PSV: natural gas at the Italian virtual trading point, day-ahead',
    nativeUnit: '€/MWh',
    unit: '€/kWh',
  },
  TTF: {
    code: 'TTF',
    slug: 'ttf',
    name: 'TTF: natural gas at the Dutch title transfer facility',
    nativeUnit: '€/MWh',
    unit: '€/kWh',
  },
  Brent: {
    code: 'Brent',
    slug: 'brent',
    name: 'Brent: crude oil, Europe spot price FOB',
    nativeUnit: '$/bbl',
    unit: '$/bbl',
  },
  CO2: {
    code: 'CO2',
    slug: 'co2',
    name: 'CO2: EU emission allowances, primary auction',
    nativeUnit: '€/tCO2',
    unit: '€/tCO2',
  },
}

/** The asset with that slug, ignoring case; undefined if there is none. */
export function assetBySlug(slug: string): Asset | undefined {
  return Object.values(ASSETS).find((asset) => asset.slug === slug.toLowerCase())
}

/** As `assetBySlug`, for a slug that is known to be valid; throws otherwise. */
export function requireAssetBySlug(slug: string): Asset {
  const asset = assetBySlug(slug)
  if (asset === undefined) throw new Error(`no asset has the slug ${slug}`)
  return asset
}

/** Whether `value` differs from the native value: energy and gas are shown to consumers in €/kWh. */
export function hasConsumerUnit(asset: Asset): boolean {
  return asset.unit !== asset.nativeUnit
}
