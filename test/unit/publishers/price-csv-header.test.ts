import { describe, expect, it } from 'vitest'
import { UnreadableDocument } from '../../../src/publishers/faults.ts'
import { type PriceCsvOptions, readHeader } from '../../../src/publishers/price-csv/header.ts'

describe('columns of daily prices', () => {
  it.each<[string, string[], PriceCsvOptions?, string?]>([
    ['flow_date,pun_daily_mean_eur_mwh', ['PUN pun_daily_mean_eur_mwh']],
    ['gas_day,mgp_gas_continuous_mwh,mgp_gas_continuous_wavg_eur_mwh', ['PSV mgp_gas_continuous_wavg_eur_mwh']],
    ['gas_day,ttf_egsi_eur_mwh,ttf_eod_settlement_eur_mwh', ['TTF ttf_eod_settlement_eur_mwh']],
    ['gas_day,ttf_egsi_eur_mwh', ['TTF ttf_egsi_eur_mwh']],
    ['date,brent_spot_usd_bbl', ['Brent brent_spot_usd_bbl']],
    ['auction_date,contract,auction_price_eur_tco2', ['CO2 auction_price_eur_tco2']],
    [
      'day,pun,psv_eur_mwh,ttf,brent_usd_bbl,co2',
      ['PUN pun', 'PSV psv_eur_mwh', 'TTF ttf', 'Brent brent_usd_bbl', 'CO2 co2'],
    ],
    ['date,price_eur_mwh,open,high,low', ['TTF price_eur_mwh'], {}, 'ttf_front_month_daily.csv'],
    ['date,price,open,high,low', ['Brent price'], { asset: 'brent' }, 'prices.csv'],
    ['date,price_eur_mwh', ['PUN price_eur_mwh'], { asset: 'pun' }, 'italy.csv'],
    ['date,pun,ttf', ['TTF ttf'], { asset: 'ttf' }],
    ['gas_day,ttf_egsi_eur_mwh,ttf_eod_settlement_eur_mwh', ['TTF ttf_egsi_eur_mwh'], { column: 'TTF_EGSI_eur_mwh' }],
    [
      'gas_day,mgp_gas_ags_price_eur_mwh',
      ['PSV mgp_gas_ags_price_eur_mwh'],
      { column: 'mgp_gas_ags_price_eur_mwh' },
      'gme_psv.csv',
    ],
    ['gas_day,x', ['PSV x'], { column: 'x', asset: 'psv' }],
  ])('are found in %j: %j', (line, expected, options = {}, fileName = 'a.csv') => {
    const layout = readHeader(line, fileName, options)
    expect(layout.shape === 'days' && layout.assets.map(({ asset, name }) => `${asset} ${name}`)).toEqual(expected)
  })

  it.each<[string, string, PriceCsvOptions, RegExp]>([
    ['date,price_eur_mwh', 'italy.csv', {}, /does not say which asset .* pass --asset/],
    ['date,price_eur_mwh', 'ttf_and_psv.csv', {}, /pass --asset/],
    ['date,price_eur_mwh', 'myttfile.csv', {}, /pass --asset/],
    ['date,price_eur_mwh', 'a.csv', { asset: 'brent' }, /no column known to hold prices of Brent/],
    ['date,psv_eur_kwh', 'a.csv', {}, /pass --asset/],
    ['date,x', 'a.csv', { column: 'x' }, /which asset "x" is/],
    ['date,ttf', 'a.csv', { column: 'psv' }, /has no column "psv"; its columns are: date, ttf/],
    ['month,price_eur_mwh', 'ttf.csv', {}, /has no column of days/],
    ['just some text', 'a.csv', {}, /has no column of days/],
    ['x'.repeat(5000), 'a.csv', {}, /its columns are: x{40}…$/],
    ['date,ttf,ttf', 'a.csv', {}, /names the column "ttf" twice/],
    ['date,"ttf', 'a.csv', {}, /not a line of CSV/],
  ])('are refused in %j of %s with %j', (line, fileName, options, message) => {
    expect(() => readHeader(line, fileName, options)).toThrow(UnreadableDocument)
    expect(() => readHeader(line, fileName, options)).toThrow(message)
  })
})

it('a header with very many columns is read in linear time', () => {
  const columns = Array.from({ length: 250_000 }, (_, index) => `x${index}`)
  expect(readHeader(['date', ...columns, 'ttf'].join(','), 'a.csv', {})).toMatchObject({ shape: 'days' })
})

describe('columns of interval prices', () => {
  it.each<[string, PriceCsvOptions, string[]]>([
    ['flow_date,ora,start_utc,pun_eur_mwh', {}, ['nazionale']],
    [
      'flow_date,ora,pun,nord,cnor,csud,sud,cala,sici,sard,svizzera',
      {},
      ['nazionale', 'nord', 'cnor', 'csud', 'sud', 'cala', 'sici', 'sard'],
    ],
    ['flow_date,ora,pun,nord', { column: 'nord' }, ['nord']],
    ['flow_date,ora,price', { column: 'price', asset: 'pun' }, ['nazionale']],
  ])('are found in %j with %j', (line, options, expected) => {
    const layout = readHeader(line, 'a.csv', options)
    expect(layout.shape === 'intervals' && layout.zones.map(({ zone }) => zone)).toEqual(expected)
  })

  it.each<[string, PriceCsvOptions, RegExp]>([
    ['flow_date,ora,price', {}, /no price column of a zone/],
    ['flow_date,ora,pun,pun_eur_mwh', {}, /two price columns for nazionale: choose one with --column/],
    ['flow_date,ora,price', { column: 'price' }, /--asset pun/],
    ['flow_date,ora,pun', { asset: 'ttf' }, /electricity prices and not ttf/],
  ])('are refused in %j with %j', (line, options, message) => {
    expect(() => readHeader(line, 'a.csv', options)).toThrow(message)
  })
})
