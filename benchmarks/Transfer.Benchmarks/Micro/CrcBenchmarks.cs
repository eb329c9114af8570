using BenchmarkDotNet.Attributes;
using Transfer.S3.Integrity;

namespace Transfer.S3.Benchmarks.Micro;

/// <summary>The CRCs of a chunk and of a part, each of their kernels, and System.IO.Hashing.</summary>
[MemoryDiagnoser]
public class CrcBenchmarks
{
    private readonly CrcTable _table;
    private readonly CrcFold _fold;
    private byte[] _data = [];

    public CrcBenchmarks()
    {
        CrcPolynomial polynomial = new(0x9A6C9329AC4BC9B5, 64);
        _table = new CrcTable(polynomial);
        _fold = new CrcFold(polynomial, _table);
    }

    /// <summary>Gets or sets the number of bytes: a chunk, which fits into a near cache, or a part, which does not.</summary>
    [Params(64 << 10, 8 << 20)]
    public int Size { get; set; }

    [GlobalSetup]
    public void Fill()
    {
        _data = new byte[Size];
        new Random(1).NextBytes(_data);
    }

    [Benchmark]
    public ulong Crc64NvmeFastest() => Crc.Crc64Nvme.Compute(_data);

    [Benchmark]
    public ulong Crc32CFastest() => Crc.Crc32C.Compute(_data);

    [Benchmark]
    public ulong Crc32Fastest() => Crc.Crc32.Compute(_data);

    [Benchmark]
    public ulong Crc64NvmeSystem() => System.IO.Hashing.Crc64.HashToUInt64(System.IO.Hashing.Crc64ParameterSet.Nvme, _data);

    [Benchmark]
    public uint Crc32CSystem() => System.IO.Hashing.Crc32.HashToUInt32(System.IO.Hashing.Crc32ParameterSet.Crc32C, _data);

    [Benchmark]
    public uint Crc32System() => System.IO.Hashing.Crc32.HashToUInt32(_data);

    [Benchmark]
    public ulong Crc64NvmeFold512() => CrcFold.Is512Supported ? _fold.Append512(0, _data) : throw new PlatformNotSupportedException();

    [Benchmark]
    public ulong Crc64NvmeFold256() => CrcFold.Is256Supported ? _fold.Append256(0, _data) : throw new PlatformNotSupportedException();

    [Benchmark]
    public ulong Crc64NvmeFold128() => _fold.Append128(0, _data);

    [Benchmark(Baseline = true)]
    public ulong Crc64NvmeTable() => _table.Append(0, _data);
}
