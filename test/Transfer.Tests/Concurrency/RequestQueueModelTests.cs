#pragma warning disable VSTHRD002 // only results of completed tasks are used
using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

/// <summary>Random transfers that request, cancel, and finish under a limit.</summary>
public sealed class RequestQueueModelTests
{
    private const int Steps = 400;

    [Fact]
    public void RandomTransfers_NoSlotIsLostAndNoRequestWaitsForAFreeSlot()
    {
        Gen<(int Limit, int Flows, int Seed)> scene = Gen.Choose(1, 12).SelectMany(
            limit => Gen.Choose(1, 8).SelectMany(flows => Gen.Choose(0, 1 << 20).Select(seed => (limit, flows, seed))));
        Prop.ForAll(scene.ToArbitrary(), RunRandom).Check(Config.QuickThrowOnFailure.WithMaxTest(LongTests.Choose(full: 500, quick: 100)));
    }

    /// <summary>Transfers that always have requests waiting get equal bytes, whatever the sizes of their requests.</summary>
    [Fact]
    public void BusyTransfers_ShareFairly()
    {
        Gen<(int Limit, int Flows, int Seed)> scene = Gen.Choose(1, 12).SelectMany(
            limit => Gen.Choose(2, 8).SelectMany(flows => Gen.Choose(0, 1 << 20).Select(seed => (limit, flows, seed))));
        Prop.ForAll(scene.ToArbitrary(), RunBusy).Check(Config.QuickThrowOnFailure.WithMaxTest(LongTests.Choose(full: 300, quick: 60)));
    }

    private static bool RunRandom((int Limit, int Flows, int Seed) scene)
    {
        Random random = new(scene.Seed);
        RequestQueue queue = new(scene.Limit, TimeProvider.System);
        TransferFlow[] flows = [.. Enumerable.Range(0, scene.Flows).Select(_ => new TransferFlow(RequestDirection.Download))];
        List<(Task<RequestSlot> Task, TransferFlow Flow, CancellationTokenSource Stop)> requests = [];
        List<RequestSlot> held = [];
        int granted = 0;
        for (int step = 0; step < Steps; step++)
        {
            switch (random.Next(10))
            {
                case < 5:
                    CancellationTokenSource stop = new();
                    RequestCost cost = new((RequestClass)random.Next(RequestQueue.Classes), random.NextInt64(1, 8 * Sizes.MiB));
                    TransferFlow flow = flows[random.Next(flows.Length)];
                    requests.Add((queue.EnterAsync(flow, cost, random.Next(5) == 0, stop.Token).AsTask(), flow, stop));
                    break;
                case < 8 when held.Count > 0:
                    int index = random.Next(held.Count);
                    held[index].Dispose();
                    held.RemoveAt(index);
                    break;
                case 9:
                    TransferFlow changed = flows[random.Next(flows.Length)];
                    queue.Change(changed, random.Next(1, 5) / 2.0, random.Next(3) == 0 ? int.MaxValue : random.Next(1, 4));
                    break;
                case 8 when requests.Count > 0:
                    requests[random.Next(requests.Count)].Stop.Cancel();
                    break;
                default:
                    break;
            }

            foreach ((Task<RequestSlot> task, _, CancellationTokenSource stop) in requests.Where(one => one.Task.IsCompleted))
            {
                if (task.IsCompletedSuccessfully)
                {
                    held.Add(task.Result);
                    granted++;
                }

                stop.Dispose();
            }

            requests.RemoveAll(one => one.Task.IsCompleted);
            Assert.Equal(held.Count, queue.InFlight);
            int waiting = requests.Count(one => held.Count(slot => slot.Flow == one.Flow) < one.Flow.MostInFlight);
            Assert.Equal(waiting, queue.Waiting);
            Assert.True(waiting == 0 || queue.InFlight == scene.Limit, $"{waiting} requests wait although only {queue.InFlight} are in flight in {scene}");
        }

        // Every waiting request is served.
        while (held.Count > 0)
        {
            held[^1].Dispose();
            held.RemoveAt(held.Count - 1);
            held.AddRange(requests.Where(one => one.Task.IsCompletedSuccessfully).Select(one => one.Task.Result));
            requests.RemoveAll(one => one.Task.IsCompleted);
        }

        Assert.Empty(requests);
        Assert.EachEqual((0, 0), (queue.InFlight, queue.Waiting));
        return granted > 0;
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
