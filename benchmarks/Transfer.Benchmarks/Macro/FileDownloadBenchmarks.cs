using Amazon.S3.Transfer;
using BenchmarkDotNet.Attributes;

namespace Transfer.S3.Benchmarks.Macro;

/// <summary>Downloads an object to a file, in memory if the system has a memory file system.</summary>
public class FileDownloadBenchmarks() : TransferBenchmark(BenchmarkStore.Connect)
{
    private readonly string _path = Scratch.NewPath();
    private string _key = null!;

    public override async Task SetUpAsync()
    {
        await base.SetUpAsync();
        _key = await BenchmarkStore.ObjectAsync(S3, MiB);
    }

    public override Task CleanUpAsync()
    {
        File.Delete(_path);
        return base.CleanUpAsync();
    }

    [Benchmark(Baseline = true, Description = "TransferUtility.DownloadWithResponse")]
    public Task UtilityAsync()
        => Utility.DownloadWithResponseAsync(new TransferUtilityDownloadRequest { BucketName = BenchmarkStore.Bucket, Key = _key, FilePath = _path });

    [Benchmark(Description = "Download to a file")]
    public Task<DownloadResult> FileAsync() => Client.DownloadAsync(BenchmarkStore.Bucket, _key, _path);
}
