/** Says at once where a run under a time zone does not have it: it would prove nothing. */
const zone = Temporal.Now.timeZoneId()
if (zone !== process.env.TZ) throw new Error(`the time zone is ${zone}, not ${process.env.TZ}`)
