using System.Collections.Concurrent;
using System.Diagnostics;
using Transfer.Server;

namespace Transfer.IntegrationTests.Faults;

/// <summary>
/// Every operation under a fault, on both wires, met once and met always. Whatever happens, there are the right bytes or a clear error; nothing hangs, and nothing is left: no
/// memory, no connection, no file, and no upload without a word.
/// </summary>
internal static class FaultMatrix
{
    private const int AtOnce = 32;
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(30);

    /// <param name="fault">The fault.</param>
    /// <param name="start">Makes the stage of one cell; the last argument says whether its client is to try often.</param>
    public static async Task RunAsync(ServerFault fault, Func<ServerFault, TransferWire, bool, Task<FaultStage>> start)
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
                await using FaultStage stage = await start(fault, wire, !always);
                if (await RunAsync(fault, operation, stage, always) > 0)
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

    private static async Task<long> RunAsync(ServerFault fault, FaultOperation operation, FaultStage stage, bool always)
    {
        await operation.PrepareAsync(stage);
        stage.Strike(always);
        TransferException? failure = null;
        try
        {
            await operation.RunAsync(stage).WaitAsync(Longest);
        }
        catch (TransferException e)
        {
            failure = e;
        }

        long struck = stage.Struck;
        if (failure is not null)
        {
            Assert.True(struck > 0, $"failed without a fault: {failure}");
            bool isMended = IsMended(fault) && !(fault == ServerFault.SkewClock && operation.BeginsWithHead && stage.IsSdkWire);
            Assert.True(always || !isMended, $"once is too much: {failure}");
        }
        else
        {
            Assert.False(always && struck > 0 && IsHopeless(fault), "succeeded where nothing can");
        }

        await stage.AssertNothingLeftAsync(failure, operation.MayLeave, operation.FindsUploads);
        return struck;
    }

    /// <summary>Whether asking again helps.</summary>
    private static bool IsMended(ServerFault fault) => fault is not
        (ServerFault.ExpireToken or ServerFault.FailHandshake or ServerFault.FlipDownload or ServerFault.WrongRange or ServerFault.IgnoreRange or ServerFault.ChangeETag);

    /// <summary>Whether no request gets through.</summary>
    private static bool IsHopeless(ServerFault fault) => fault is
        ServerFault.SlowDown or ServerFault.SlowDownRetryAfter or ServerFault.InternalError or ServerFault.TooManyRequests or ServerFault.ExpireToken
        or ServerFault.RefuseConnection or ServerFault.FailHandshake or ServerFault.ResetBeforeHeaders;
}
