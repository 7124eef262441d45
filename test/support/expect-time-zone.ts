/** Fails at once if TZ has no effect: the run would prove nothing. */
const zone = Temporal.Now.timeZoneId()
if (zone !== process.env.TZ) throw new Error(`the time zone is ${zone}, not ${process.env.TZ}`)
