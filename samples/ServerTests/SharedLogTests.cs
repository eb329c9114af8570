using System.Net;
using System.Runtime.CompilerServices;
using Transfer.S3;
using Transfer.S3.Server;

namespace ServerTests;

/// <summary>Tests of <see cref="SharedLog"/> against a server that fails on purpose. Each test has a log of its own.</summary>
public sealed class SharedLogTests(StoreFixture store) : IClassFixture<StoreFixture>, IDisposable
{
    public void Dispose() => store.Server.SetFaults(null);

    [Fact]
    public async Task Append_SeveralLines_KeepsTheirOrder()
    {
        SharedLog log = CreateLog();

        await log.AppendAsync("one");
        await log.AppendAsync("two");

        Assert.Equal("one\ntwo\n", await log.ReadAsync());
    }

    [Fact]
    public async Task Read_NoLog_IsEmpty() => Assert.Empty(await CreateLog().ReadAsync());

    [Fact]
    public async Task Append_SeveralWriters_LosesNoLine()
    {
        await CreateLog().AppendAsync("zero");

        await Task.WhenAll(CreateLog().AppendAsync("one"), CreateLog().AppendAsync("two"));

        string text = await CreateLog().ReadAsync();
        Assert.Equal(["one", "two", "zero"], text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Order());
    }

    [Fact]
    public async Task Append_LogWasReplacedInTheMeantime_TriesAgain()
    {
        SharedLog log = CreateLog();
        await log.AppendAsync("one");
        Fail(ServerFault.ChangeETag, "GetObject"); // the log that is read isn't the one that is there when the new one is written

        await log.AppendAsync("two");

        Assert.Equal(3, StatusesOf("GetObject").Count()); // "one" was appended without a log; "two" was appended in the second attempt
        Assert.Equal("one\ntwo\n", await log.ReadAsync());
    }

    [Fact]
    public async Task Append_AlwaysReplacedInTheMeantime_GivesUp()
    {
        SharedLog log = CreateLog();
        await log.AppendAsync("one");
        Fail(ServerFault.ChangeETag, "GetObject", times: SharedLog.MaxAttempts);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => log.AppendAsync("two"));
        Assert.Equal(TransferError.PreconditionFailed, e.Error);

        Assert.Equal("one\n", await log.ReadAsync());
    }

    [Fact]
    public async Task Append_ResponseIsLost_AppendsOnce()
    {
        SharedLog log = CreateLog();
        await log.AppendAsync("one");
        Fail(ServerFault.LoseReply, "PutObject");

        await log.AppendAsync("two");

        Assert.Equal("one\ntwo\n", await log.ReadAsync());
    }

    [Fact]
    public async Task Append_StoreIsDown_ThrowsAndKeepsTheLog()
    {
        SharedLog log = CreateLog();
        await log.AppendAsync("one");
        Fail(ServerFault.InternalError, "PutObject", times: null);

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => log.AppendAsync("two"));

        Assert.Equal((HttpStatusCode.InternalServerError, 2), (error.StatusCode, error.Attempts));
        Assert.Equal("one\n", await log.ReadAsync());
    }

    [Fact]
    public async Task Read_ConnectionIsReset_ReadsTheRest()
    {
        SharedLog log = CreateLog();
        await log.AppendAsync(new string('x', 100_000));
        Fail(ServerFault.ResetInBody, "GetObject");

        Assert.Equal(100_001, (await log.ReadAsync()).Length);

        Assert.Equal(1, store.Server.Statistics.FaultCount(ServerFault.ResetInBody));
    }

    [Fact]
    public async Task Read_ContentIsDamaged_Throws()
    {
        SharedLog log = CreateLog();
        await log.AppendAsync("one");
        Fail(ServerFault.FlipDownload, "GetObject", times: null);

        await Assert.ThrowsAsync<ChecksumMismatchException>(() => log.ReadAsync());
    }

    private SharedLog CreateLog([CallerMemberName] string test = "") => new(store.Client, StoreFixture.Bucket, test);

    private void Fail(ServerFault fault, string operation, int? times = 1)
        => store.Server.SetFaults(new FaultPlan { Rules = [new FaultRule(fault) { Operation = operation, Times = times }] });

    private IEnumerable<HttpStatusCode> StatusesOf(string operation, [CallerMemberName] string test = "")
        => store.Server.Requests.Where(request => request.Operation == operation && request.Key == test).Select(request => (HttpStatusCode)request.StatusCode);
}
