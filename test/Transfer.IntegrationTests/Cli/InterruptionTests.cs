using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Signals during an upload to a store that is slow to abort.</summary>
[LongRunning]
public sealed class InterruptionTests : ToolTest
{
    private const int Part = 8 << 20;

    // The abort must take longer than it takes to send a second signal, which starts a process.
    protected override EmbeddedS3ServerOptions ServerOptions => new() { Buckets = [Bucket], FirstByteDelay = TimeSpan.FromSeconds(3) };

    [Theory]
    [InlineData("INT", "INT")]
    [InlineData("HUP", "HUP")]
    [InlineData("HUP", "TERM")]
    public async Task Upload_InterruptedTwice_IsStillAborted(string first, string second)
    {
        using ToolProcess tool = await StartUploadAsync();

        await tool.SignalAsync(first);
        await Deadline.Until(() => Server.Statistics.RequestCount("AbortMultipartUpload") > 0); // two signals that are pending at the same time are one
        await tool.SignalAsync(second);

        ToolOutcome outcome = (await tool.EndAsync()).Expect(130);
        Assert.Contains("cleaning up", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(0, await CountUnfinishedUploadsAsync());
    }

    [Fact]
    public async Task Upload_UnderNohup_ContinuesAfterAHangup()
    {
        byte[] content = Sample.Bytes(2 * Part);
        using ToolProcess tool = ToolProcess.StartWithoutHangups(Environment, "cp", "-", $"s3://{Bucket}/k");
        await tool.Input.WriteAsync(content).AsTask().Within();
        await Deadline.Until(() => Server.Requests.Any(request => request.Operation == "CreateMultipartUpload"));

        await tool.SignalAsync("HUP");
        tool.CloseInput();

        (await tool.EndAsync()).Expect(0);
        Assert.Equal(content, await GetAsync("k"));
    }

    /// <summary>Starts an upload from standard input that has begun and can't complete.</summary>
    private async Task<ToolProcess> StartUploadAsync()
    {
        ToolProcess tool = ToolProcess.Start(Environment, "cp", "-", $"s3://{Bucket}/k");
        await tool.Input.WriteAsync(Sample.Bytes(2 * Part)).AsTask().Within();
        await Deadline.Until(() => Server.Requests.Any(request => request.Operation == "CreateMultipartUpload"));
        return tool;
    }
}
