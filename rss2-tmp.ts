import { startProduct } from './test/support/product.ts'
import { once } from 'node:events'
import { execFileSync } from 'node:child_process'
const variants=[[],['--max-semi-space-size=4'],['--optimize-for-size'],['--optimize-for-size','--max-semi-space-size=16']]
const ps=[]
for(const [i,a] of variants.entries()){const p=await startProduct({dataDir:'/tmp/d/mem'+i,env:{MALLOC_TRIM_THRESHOLD_:'131072',NODE_ENV:'production',OPEN_REQUESTS_PER_MINUTE:'1000000',LOG_LEVEL:'info'},command:[process.execPath,...a,'src/main.ts'],ready:false}); await p.answers('/v1/today'); ps.push(p)}
await new Promise(r=>setTimeout(r,15000))
const rates=variants.map(()=>[])
for(let r=0;r<7;r++) for(const [i,p] of ps.entries()){const out=execFileSync('wrk',['-t1','-c50','-d1s',new URL('/v1/today',p.url).href]).toString(); rates[i].push(Number(/Requests\/sec: +([\d.]+)/.exec(out)[1]))}
for(const [i,v] of variants.entries()){const ratio=rates[i].map((x,k)=>x/rates[0][k]).sort((a,b)=>a-b); console.log(v.join(' ')||'plain', rates[i].map(Math.round).join(' '),'ratio',ratio[3].toFixed(2))}
for(const p of ps){const e=once(p.process,'exit');p.process.kill('SIGTERM');await e}
process.exit(0)
