#pragma warning disable VSTHRD002 // only results of completed tasks are used
using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

public sealed class RequestQueueModelTests
{
    /// <summary>Transfers that always have requests waiting get equal bytes, whatever the sizes of their requests.</summary>
    [Fact]
    public void BusyTransfers_ShareFairly()
    {
        Gen<(int Limit, int Flows, int Seed)> scene = Gen.Choose(1, 12).SelectMany(
            limit => Gen.Choose(2, 8).SelectMany(flows => Gen.Choose(0, 1 << 20).Select(seed => (limit, flows, seed))));
        Prop.ForAll(scene.ToArbitrary(), RunBusy).Check(Config.QuickThrowOnFailure.WithMaxTest(LongTests.Choose(full: 300, quick: 60)));
    }

    private static bool RunBusy((int Limit, int Flows, int Seed) scene)
    {
        Random random = new(scene.Seed);
        RequestQueue queue = new(scene.Limit, TimeProvider.System);
        BusyTransfer[] transfers = [.. Enumerable.Range(0, scene.Flows).Select(_ => new BusyTransfer(random.NextInt64(RequestCost.MinBytes, 8 * Sizes.MiB)))];
        Queue<RequestSlot> held = new();
        for (int i = 0; i < scene.Limit; i++)
        {
            held.Enqueue(queue.EnterAsync(new TransferFlow(RequestDirection.Download), RequestCost.Lookup, isRetry: false, CancellationToken.None).AsTask().Result);
        }

        for (int step = 0; step < 600; step++)
        {
            foreach (BusyTransfer transfer in transfers)
            {
                transfer.Fill(queue);
            }

            held.Dequeue().Dispose();
            foreach (BusyTransfer transfer in transfers)
            {
                transfer.Collect(held);
            }
        }

        long most = transfers.Max(transfer => transfer.ServedBytes);
        long least = transfers.Min(transfer => transfer.ServedBytes);
        Assert.True(most - least <= 2 * transfers.Max(transfer => transfer.RequestBytes), $"between {least} and {most} bytes were served in {scene}");
        return true;
    }

    private sealed class BusyTransfer(long requestBytes)
    {
        private readonly TransferFlow _flow = new(RequestDirection.Download);
        private readonly List<Task<RequestSlot>> _waiting = [];

        public long RequestBytes => requestBytes;

        public long ServedBytes { get; private set; }

        public void Fill(RequestQueue queue)
        {
            while (_waiting.Count < 2)
            {
                _waiting.Add(queue.EnterAsync(_flow, RequestCost.Part(requestBytes), isRetry: false, CancellationToken.None).AsTask());
            }
        }

        public void Collect(Queue<RequestSlot> held)
        {
            foreach (Task<RequestSlot> slot in _waiting.Where(one => one.IsCompletedSuccessfully))
            {
                held.Enqueue(slot.Result);
                ServedBytes += requestBytes;
            }

            _waiting.RemoveAll(one => one.IsCompleted);
        }
    }
}
