/// <reference types="uplot" />
/** Lines of charts that break where prices are missing, for `charts.js`, which is loaded after this script. */
// biome-ignore lint/correctness/noUnusedVariables: charts.js uses it
const brokenLine = (() => {
  const DAY_SECONDS = 86_400
  /** The longest closure of an exchange, at Easter: Thursday to Tuesday is five days, one day is the usual step. */
  const CLOSED_SECONDS = 4 * DAY_SECONDS

  /**
   * Options of a line; `paths` is for dense ones. A value without neighbours is a point.
   * @param {number[]} times
   * @param {(number | null)[]} values
   */
  return (times, values) => {
    const pieces = piecesOf(times, values)
    const single = pieces.flatMap((piece) => (piece.length === 1 ? piece : []))
    const ends = /** @type {[number, number][]} */ (pieces.slice(1).map(([start], i) => [pieces[i]?.at(-1), start]))
    return {
      points: { show: false, filter: () => single },
      gaps: (/** @type {uPlot} */ { data: [times], valToPos }) => {
        const position = (/** @type {number} */ i) => valToPos(/** @type {number} */ (times[i]), 'x', true)
        return ends.map(([end, start]) => /** @type {[number, number]} */ ([position(end), position(start)]))
      },
      paths: thinned(new Set(pieces.map(([start]) => start))),
    }
  }

  /**
   * Splits a column where days or hours have no value, but not at weekends and holidays of a series that has no weekends.
   * @param {number[]} times
   * @param {(number | null)[]} values
   * @returns {number[][]} the indices of the values of each piece
   */
  function piecesOf(times, values) {
    const timeAt = (/** @type {number} */ i) => /** @type {number} */ (times[i])
    const own = values.flatMap((value, i) => (value == null ? [] : [i]))
    const steps = own.slice(1).map((at, i) => timeAt(at) - timeAt(/** @type {number} */ (own[i])))
    const step = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
    // Days begin at midnight of Rome or UTC: noon is on the same day in both.
    const isWeekend = (/** @type {number} */ i) => new Date((timeAt(i) + DAY_SECONDS / 2) * 1000).getUTCDay() % 6 === 0
    const closed = step > DAY_SECONDS / 2 && !own.some(isWeekend) ? CLOSED_SECONDS : 0
    /** @type {number[][]} */
    const pieces = []
    for (const [n, at] of own.entries()) {
      if (n === 0 || /** @type {number} */ (steps[n - 1]) > 1.5 * step + closed) pieces.push([])
      pieces.at(-1)?.push(at)
    }
    return pieces
  }

  /**
   * Draws a line through the lowest and the highest value of each pixel column.
   * @param {Set<number | undefined>} starts - of pieces
   * @returns {uPlot.Series.PathBuilder}
   */
  function thinned(starts) {
    return (chart, index, from, to) => {
      const [times, values] = [chart.data[0], chart.data[index] ?? []]
      const scale = chart.series[index]?.scale ?? 'y'
      const stroke = new Path2D()
      let [pixel, low, high] = [Number.NaN, 0, 0]
      const draw = () => {
        if (Number.isNaN(pixel)) return
        for (const value of low === high ? [low] : [low, high])
          stroke.lineTo(pixel * devicePixelRatio, chart.valToPos(value, scale, true))
      }
      for (let i = from; i <= to; i++) {
        const value = values[i]
        if (value == null) continue
        const at = Math.round(chart.valToPos(/** @type {number} */ (times[i]), 'x', true) / devicePixelRatio)
        if (at === pixel) [low, high] = [Math.min(low, value), Math.max(high, value)]
        else {
          draw()
          ;[pixel, low, high] = [at, value, value]
          if (starts.has(i)) stroke.moveTo(at * devicePixelRatio, chart.valToPos(value, scale, true))
        }
      }
      draw()
      return { stroke }
    }
  }
})()
