using System.IO.Pipelines;
using Amazon.S3.Transfer;
using BenchmarkDotNet.Attributes;

namespace Transfer.S3.Benchmarks.Macro;

/// <summary>Reads an object in order and discards its bytes.</summary>
public class ReadBenchmarks() : TransferBenchmark(BenchmarkStore.Connect)
{
    private readonly byte[] _buffer = new byte[128 * 1024];
    private string _key = null!;

    public override async Task SetUpAsync()
    {
        await base.SetUpAsync();
        _key = await BenchmarkStore.ObjectAsync(S3, MiB);
    }

    [Benchmark(Baseline = true, Description = "TransferUtility.OpenStreamWithResponse")]
    public async Task<long> UtilityAsync()
    {
        using TransferUtilityOpenStreamResponse response = await Utility.OpenStreamWithResponseAsync(BenchmarkStore.Bucket, _key);
        return await DrainAsync(response.ResponseStream);
    }

    [Benchmark(Description = "OpenRead, Stream")]
    public async Task<long> StreamAsync()
    {
        await using ObjectReadStream stream = await Client.OpenReadAsync(BenchmarkStore.Bucket, _key);
        return await DrainAsync(stream);
    }

    [Benchmark(Description = "OpenRead, Reader")]
    public async Task<long> ReaderAsync()
    {
        await using ObjectReadStream stream = await Client.OpenReadAsync(BenchmarkStore.Bucket, _key);
        long total = 0;
        while (true)
        {
            ReadResult result = await stream.Reader.ReadAsync();
            total += result.Buffer.Length;
            stream.Reader.AdvanceTo(result.Buffer.End);
            if (result.IsCompleted)
            {
                return total;
            }
        }
    }

    private async Task<long> DrainAsync(Stream stream)
    {
        long total = 0;
        int count;
        while ((count = await stream.ReadAsync(_buffer)) > 0)
        {
            total += count;
        }

        return total;
    }
}
