using System.Collections.Concurrent;
using System.Diagnostics;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>
/// Runs every operation with a fault that occurs once or always, over both protocols. The result must be the correct bytes or a clear error.
/// Nothing may hang, and no memory, connection, file, or unreported upload may be left behind.
/// </summary>
internal static class FaultMatrix
{
    private const int AtOnce = 32;

    /// <summary>
    /// A quick run tests one of this many cells. Each fault starts at another cell, so that all faults together cover every operation.
    /// </summary>
    private const int QuickShare = 19;
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(30);

    /// <param name="fault">The fault.</param>
    /// <param name="start">Creates the stage of one cell. The last argument indicates whether its client retries often.</param>
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
#pragma warning disable CA1031 // all failed cells are reported
            catch (Exception e)
#pragma warning restore CA1031
            {
                wrong.Add($"{cell}, after {watch.Elapsed.TotalSeconds:0.0} s: {e}");
            }
        });

        Assert.True(wrong.IsEmpty, string.Join("\n\n", wrong.Order(StringComparer.Ordinal)));
        Assert.True(struck > 0, "the fault never occurred");
    }

    private static async Task<long> RunAsync(Cell cell, FaultStage stage)
    {
        (ServerFault fault, FaultOperation operation, bool always) = (cell.Fault, cell.Operation, cell.Always);
        await operation.PrepareAsync(stage);
        Exception? failure = null;
        await using (cell.IsBesideOthers ? await Bystanders.OpenAsync(stage) : null)
        {
            await stage.StrikeAsync(always);
            try
            {
                await operation.RunAsync(stage).WaitAsync(Longest);
            }
            catch (TransferException e)
            {
                failure = e;
            }
        }

        long struck = stage.Struck;
        if (failure is TransferException { Error: TransferError.MemoryLimit })
        {
            Assert.True(cell.MemoryBytes is not null, failure.Message); // a part needs all memory, and the other streams hold some of it
        }
        else if (failure is TransferException)
        {
            Assert.True(struck > 0, $"the operation failed although no fault occurred: {failure}");
            bool isMended = SucceedsWhenRetried(fault) && !(fault == ServerFault.SkewClock && operation.BeginsWithHead && stage.IsSdkWire);
            Assert.True(always || !isMended, $"the operation failed although the fault occurred only once: {failure}");
        }
        else if (failure is null)
        {
            Assert.False(always && struck > 0 && FailsEveryRequest(fault), "the operation succeeded although all requests fail");
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

    /// <summary>Returns whether a retry succeeds.</summary>
    private static bool SucceedsWhenRetried(ServerFault fault) => fault is not
        (ServerFault.ExpireToken or ServerFault.FailHandshake or ServerFault.FlipDownload or ServerFault.WrongRange or ServerFault.IgnoreRange or ServerFault.ChangeETag);

    /// <summary>Returns whether all requests fail.</summary>
    private static bool FailsEveryRequest(ServerFault fault) => fault is
        ServerFault.SlowDown or ServerFault.SlowDownRetryAfter or ServerFault.InternalError or ServerFault.TooManyRequests or ServerFault.ExpireToken
        or ServerFault.RefuseConnection or ServerFault.FailHandshake or ServerFault.ResetBeforeHeaders;
}
