using BenchmarkDotNet.Attributes;

namespace Transfer.S3.Benchmarks.Macro;

/// <summary>Uploads to a store that verifies and discards the content.</summary>
public class UploadBenchmarks() : TransferBenchmark(BenchmarkStore.ConnectDiscarding)
{
    private readonly string _path = Scratch.NewPath();

    public override async Task SetUpAsync()
    {
        await base.SetUpAsync();
        await File.WriteAllBytesAsync(_path, BenchmarkStore.TestBytes(MiB));
    }

    public override Task CleanUpAsync()
    {
        File.Delete(_path);
        return base.CleanUpAsync();
    }

    [Benchmark(Baseline = true, Description = "TransferUtility.Upload")]
    public Task UtilityAsync() => Utility.UploadAsync(_path, BenchmarkStore.Bucket, "upload");

    [Benchmark(Description = "Upload of a file")]
    public Task<UploadResult> FileAsync() => Client.UploadAsync(_path, BenchmarkStore.Bucket, "upload");

    [Benchmark(Description = "Upload of a stream of unknown length")]
    public async Task<UploadResult> StreamAsync()
    {
        await using FileStream file = new(_path, new FileStreamOptions { BufferSize = 0 });
        return await Client.UploadAsync(System.IO.Pipelines.PipeReader.Create(file, new(bufferSize: 128 * 1024)), BenchmarkStore.Bucket, "upload");
    }
}
