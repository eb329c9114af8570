using System.Collections.Concurrent;
using System.Diagnostics;
using Transfer.Server;

namespace Transfer.IntegrationTests.Faults;

/// <summary>
/// Every operation under every fault, on both wires, met once and met always. Whatever happens, there are the right bytes or a clear error; nothing hangs, and nothing is left: no
/// memory, no connection, no file, and no upload without a word.
/// </summary>
public class FaultMatrixTests
{
    private const int AtOnce = 32;
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(30);
    private static readonly string[] Operations =
    [
        "GetObject", "HeadObject", "GetObjectAttributes", "PutObject", "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload", "AbortMultipartUpload", "CopyObject",
        "UploadPartCopy", "ListObjectsV2", "ListMultipartUploads", "ListParts",
    ];

    public static TheoryData<ServerFault> Faults => [.. Enum.GetValues<ServerFault>()];

    [Theory]
    [MemberData(nameof(Faults))]
    public async Task EveryOperation_RightBytesOrAClearError_AndNothingLeft(ServerFault fault)
    {
        ConcurrentBag<string> wrong = [];
        int struck = 0;
        IEnumerable<(FaultOperation, TransferWire, bool)> cells =
            from operation in FaultOperations.All
            from wire in (TransferWire[])[TransferWire.Http, TransferWire.Sdk]
            from always in (bool[])[false, true]
            select (operation, wire, always);
        await Parallel.ForEachAsync(cells, new ParallelOptions { MaxDegreeOfParallelism = AtOnce }, async (cell, _) =>
        {
            (FaultOperation operation, TransferWire wire, bool always) = cell;
            Stopwatch watch = Stopwatch.StartNew();
            try
            {
                if (await RunAsync(fault, operation, wire, always) > 0)
                {
                    Interlocked.Increment(ref struck);
                }
            }
#pragma warning disable CA1031 // every cell is told
            catch (Exception e)
#pragma warning restore CA1031
            {
                wrong.Add($"{operation}, {wire}, {(always ? "always" : "once")}, after {watch.Elapsed.TotalSeconds:0.0} s: {e}");
            }
        });

        Assert.True(wrong.IsEmpty, string.Join("\n\n", wrong.Order(StringComparer.Ordinal)));
        Assert.True(struck > 0, "nothing met the fault");
    }

    private static async Task<long> RunAsync(ServerFault fault, FaultOperation operation, TransferWire wire, bool always)
    {
        await using FaultStage stage = await FaultStage.StartAsync(fault, wire, isPatient: !always);
        await operation.PrepareAsync(stage);
        stage.Strike(Plan(fault, always));
        TransferException? failure = null;
        try
        {
            await operation.RunAsync(stage).WaitAsync(Longest);
        }
        catch (TransferException e)
        {
            failure = e;
        }

        long struck = stage.Statistics.FaultCount(fault);
        if (failure is not null)
        {
            Assert.True(struck > 0, $"failed without a fault: {failure}");
            bool isMended = IsMended(fault) && !(fault == ServerFault.SkewClock && operation.BeginsWithHead);
            Assert.True(always || !isMended, $"once is too much: {failure}");
        }
        else
        {
            Assert.False(always && struck > 0 && IsHopeless(fault), "succeeded where nothing can");
        }

        await stage.AssertNothingLeftAsync(failure, operation.MayLeave, operation.FindsUploads);
        return struck;
    }

    /// <summary>What meets a fault once meets it with the first request of every kind, and with a later one of those that are sent for each part.</summary>
    private static FaultPlan Plan(ServerFault fault, bool always)
    {
        if (fault is ServerFault.RefuseConnection or ServerFault.FailHandshake)
        {
            return new FaultPlan { Rules = [new FaultRule(fault) { Times = always ? null : 1 }] };
        }

        // The store is given ten minutes to put an object together, or to copy: a test can't wait for that.
        bool stalls = fault is ServerFault.StallHeaders or ServerFault.StallBody;
        IEnumerable<string> struck = Operations.Where(operation => !stalls || operation is not ("CompleteMultipartUpload" or "CopyObject" or "UploadPartCopy"));
        List<FaultRule> rules = [.. struck.Select(operation => new FaultRule(fault) { Operation = operation, Times = always ? null : 1 })];
        if (!always)
        {
            rules.Add(new FaultRule(fault) { Operation = "GetObject", After = 1 });
            if (fault != ServerFault.FlipUpload)
            {
                rules.Add(new FaultRule(fault) { Operation = "UploadPart", After = 1 }); // what arrives damaged is sent once more, and not twice
            }
        }

        return new FaultPlan { Rules = rules };
    }

    /// <summary>Whether asking again helps.</summary>
    private static bool IsMended(ServerFault fault) => fault is not
        (ServerFault.ExpireToken or ServerFault.FailHandshake or ServerFault.FlipDownload or ServerFault.WrongRange or ServerFault.IgnoreRange or ServerFault.ChangeETag);

    /// <summary>Whether no request gets through.</summary>
    private static bool IsHopeless(ServerFault fault) => fault is
        ServerFault.SlowDown or ServerFault.SlowDownRetryAfter or ServerFault.InternalError or ServerFault.TooManyRequests or ServerFault.ExpireToken
        or ServerFault.RefuseConnection or ServerFault.FailHandshake or ServerFault.ResetBeforeHeaders;
}
