/** Lets the Arrow library compress and read buffers with ZSTD, which it leaves to its user. Import it for its effect. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { CompressionType, compressionRegistry } from 'apache-arrow'

compressionRegistry.set(CompressionType.ZSTD, { encode: zstdCompressSync, decode: zstdDecompressSync })
