using System.Collections.Concurrent;
using System.Diagnostics;
using Transfer.Server;
using Transfer.Tests.Infrastructure;

namespace Transfer.IntegrationTests.Faults;

/// <summary>
/// Every operation under a fault, on both wires, met once and met always. Whatever happens, there are the right bytes or a clear error; nothing hangs, and nothing is left: no
/// memory, no connection, no file, and no upload without a word.
/// </summary>
internal static class FaultMatrix
{
    private const int AtOnce = 32;

    /// <summary>A quick run takes one cell of so many. Each fault begins at another cell, so all faults together meet every operation.</summary>
    private const int QuickShare = 7;
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(30);

    /// <param name="fault">The fault.</param>
    /// <param name="start">Makes the stage of one cell; the last argument says whether its client is to try often.</param>
    public static Task RunAsync(ServerFault fault, Func<ServerFault, TransferWire, bool, Task<FaultStage>> start) => RunAsync(
        from operation in FaultOperations.All
        from wire in (TransferWire[])[TransferWire.Http, TransferWire.Sdk]
        from always in (bool[])[false, true]
        select new Cell(fault, operation, wire, always, isBesideOthers: false, null, () => start(fault, wire, !always)));

    /// <summary>Runs the matrix beside an idle reader and an open writer of the same client.</summary>
    /// <param name="fault">The fault.</param>
    /// <param name="budgets">The memory of the clients; null for the default.</param>
    public static Task RunBesideOthersAsync(ServerFault fault, long?[] budgets) => RunAsync(
        from operation in FaultOperations.All
        from always in (bool[])[false, true]
        from memory in budgets
        select new Cell(
            fault, operation, TransferWire.Http, always, isBesideOthers: true, memory, () => EmbeddedFaultStage.StartAsync(fault, TransferWire.Http, !always, memory)));

    private static async Task RunAsync(IEnumerable<Cell> cells)
    {
        ConcurrentBag<string> wrong = [];
        int struck = 0;
        Cell[] chosen = [.. cells.Where((cell, i) => LongTests.AreEnabled || (i + (int)cell.Fault) % QuickShare == 0)];
        await Parallel.ForEachAsync(chosen, new ParallelOptions { MaxDegreeOfParallelism = AtOnce }, async (cell, _) =>
        {
            Stopwatch watch = Stopwatch.StartNew();
            try
            {
                await using FaultStage stage = await cell.StartAsync();
                if (await RunAsync(cell, stage) > 0)
                {
                    Interlocked.Increment(ref struck);
                }
            }
#pragma warning disable CA1031 // every cell is told
            catch (Exception e)
#pragma warning restore CA1031
            {
                wrong.Add($"{cell}, after {watch.Elapsed.TotalSeconds:0.0} s: {e}");
            }
        });

        Assert.True(wrong.IsEmpty, string.Join("\n\n", wrong.Order(StringComparer.Ordinal)));
        Assert.True(struck > 0, "nothing met the fault");
    }

    private static async Task<long> RunAsync(Cell cell, FaultStage stage)
    {
        (ServerFault fault, FaultOperation operation, bool always) = (cell.Fault, cell.Operation, cell.Always);
        await operation.PrepareAsync(stage);
        Exception? failure = null;
        await using (cell.IsBesideOthers ? await Bystanders.OpenAsync(stage) : null)
        {
            stage.Strike(always);
            try
            {
                await operation.RunAsync(stage).WaitAsync(Longest);
            }
            catch (TransferException e)
            {
                failure = e;
            }
            catch (InvalidOperationException e) when (cell.MemoryBytes is not null && e.Message.Contains(nameof(TransferClientOptions.MemoryBytes), StringComparison.Ordinal))
            {
                failure = e; // a part needs all of the memory, and the others hold some of it
            }
        }

        long struck = stage.Struck;
        if (failure is TransferException)
        {
            Assert.True(struck > 0, $"failed without a fault: {failure}");
            bool isMended = IsMended(fault) && !(fault == ServerFault.SkewClock && operation.BeginsWithHead && stage.IsSdkWire);
            Assert.True(always || !isMended, $"once is too much: {failure}");
        }
        else if (failure is null)
        {
            // A connection that the others have opened is used again.
            bool isHopeless = IsHopeless(fault) && !(cell.IsBesideOthers && fault is ServerFault.RefuseConnection or ServerFault.FailHandshake);
            Assert.False(always && struck > 0 && isHopeless, "succeeded where nothing can");
        }

        await stage.AssertNothingLeftAsync(failure, operation.MayLeave, operation.FindsUploads);
        return struck;
    }

    private sealed class Cell(
        ServerFault fault, FaultOperation operation, TransferWire wire, bool always, bool isBesideOthers, long? memoryBytes, Func<Task<FaultStage>> start)
    {
        public ServerFault Fault => fault;

        public FaultOperation Operation => operation;

        public bool Always => always;

        public bool IsBesideOthers => isBesideOthers;

        public long? MemoryBytes => memoryBytes;

        public Task<FaultStage> StartAsync() => start();

        public override string ToString() => $"{operation}, {wire}, {(always ? "always" : "once")}{(memoryBytes is null ? string.Empty : ", in little memory")}";
    }

    /// <summary>Whether asking again helps.</summary>
    private static bool IsMended(ServerFault fault) => fault is not
        (ServerFault.ExpireToken or ServerFault.FailHandshake or ServerFault.FlipDownload or ServerFault.WrongRange or ServerFault.IgnoreRange or ServerFault.ChangeETag);

    /// <summary>Whether no request gets through.</summary>
    private static bool IsHopeless(ServerFault fault) => fault is
        ServerFault.SlowDown or ServerFault.SlowDownRetryAfter or ServerFault.InternalError or ServerFault.TooManyRequests or ServerFault.ExpireToken
        or ServerFault.RefuseConnection or ServerFault.FailHandshake or ServerFault.ResetBeforeHeaders;
}
