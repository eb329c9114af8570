using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Buffers;

namespace Transfer.S3.Tests.Buffers;

/// <summary>
/// Opens streams, some of them idle, beside writers and transfers, on one memory budget. Each active reader must get at least half of its
/// fair share of the read-ahead memory, whatever the others hold. No data may be fetched more than twice.
/// </summary>
public sealed class FairShareModelTests
{
    private const int Unit = 1;
    private const int Rounds = 60;
    private const int Piece = 32;

    [Fact]
    public void ReadersAndIdleStreams_EachReaderHoldsHalfItsFairShare()
    {
        Gen<(int Capacity, int Readers, int Idle, int Unfinished, int Seed)> scene = Gen.Choose(20, 200).SelectMany(
            capacity => Gen.Choose(1, 5).SelectMany(readers => Gen.Choose(0, 12).SelectMany(
                idle => Gen.Choose(0, 2).SelectMany(unfinished => Gen.Choose(0, 1 << 20).Select(seed => (capacity * 8, readers, idle, unfinished, seed))))));
        Prop.ForAll(scene.ToArbitrary(), Run).Check(Config.QuickThrowOnFailure.WithMaxTest(LongTests.Choose(full: 100, quick: 15)));
    }

    private static bool Run((int Capacity, int Readers, int Idle, int Unfinished, int Seed) scene)
    {
        Random random = new(scene.Seed);
        MemoryBudget budget = new(scene.Capacity);
        for (int i = 0; i < scene.Unfinished; i++)
        {
            budget.TryReserve(MemoryUse.Unfinished, scene.Capacity / 8);
        }

        long limit = (scene.Capacity / 8 * 3) - Math.Max(0, (scene.Unfinished - 1) * (scene.Capacity / 8));
        List<SimulatedStream> idle = [];
        List<SimulatedStream> readers = [];
        for (int i = 0; i < scene.Readers + scene.Idle; i++)
        {
            // Streams that become idle may have read for a while, and all streams are opened in random order.
            bool isIdle = readers.Count == scene.Readers || (idle.Count < scene.Idle && random.Next(2) == 0);
            SimulatedStream stream = new(budget);
            (isIdle ? idle : readers).Add(stream);
            for (int round = random.Next(6); round >= 0; round--)
            {
                stream.Fetch();
                if (!isIdle || random.Next(2) == 0)
                {
                    stream.Read(random.Next(1, 20));
                }
            }
        }

        for (int round = 0; round < Rounds; round++)
        {
            foreach (SimulatedStream reader in readers.OrderBy(_ => random.Next()))
            {
                reader.Read(long.MaxValue);
                reader.Fetch();
            }

            foreach (SimulatedStream stream in idle)
            {
                stream.Fetch(); // an idle stream also fetches whatever it can
            }
        }

        long fair = limit / (scene.Readers + scene.Idle);
        foreach (SimulatedStream reader in readers)
        {
            reader.Fetch();
            Assert.True(
                reader.MostHeld >= fair / 2,
                $"a reader held {reader.MostHeld} of its fair share of {fair} in {scene}: readers {string.Join(", ", readers)}, idle {string.Join(", ", idle)}; {budget.ReservedBytes} are reserved");
        }

        foreach (SimulatedStream stream in (IEnumerable<SimulatedStream>)[.. readers, .. idle])
        {
            Assert.True(stream.Fetched <= (2 * stream.Consumed) + (2 * scene.Capacity), $"{stream.Fetched} bytes were fetched, but only {stream.Consumed} were read in {scene}");
            stream.Close();
        }

        return true;
    }

    /// <summary>A stream of endless data that arrives as soon as memory is available for it.</summary>
    private sealed class SimulatedStream : IReadAheadOwner
    {
        private readonly MemoryBudget _budget;
        private readonly MemoryShare _share;
        private Task<long>? _request;

        public SimulatedStream(MemoryBudget budget)
        {
            _budget = budget;
            _share = budget.Add(this, Unit);
        }

        public bool IsStarved => false;

        public bool IsStuck => false;

        public long Fetched { get; private set; }

        public long Consumed { get; private set; }

        /// <summary>Gets the recent peak of the bytes that the stream held. Older values count less.</summary>
        public long MostHeld { get; private set; }

        public void Fetch()
        {
            if (_request is not null && _share.Waiter is not null)
            {
                _budget.RequestAhead(_share, Piece);
            }

            while (true)
            {
                if (_request is not null && _share.Waiter is null)
                {
                    Fetched += _request.Block();
                    _request = null;
                }
                else if (_request is not null || FakeOwner.TryReserve(_share, Piece) is not (> 0 and long bytes))
                {
                    // A refused request stays in the queue.
                    _request ??= FakeOwner.AskAsync(_share, Piece, CancellationToken.None);
                    break;
                }
                else
                {
                    Fetched += bytes;
                }
            }

            MostHeld = Math.Max(MostHeld * 3 / 4, _share.HeldBytes);
        }

        public void Read(long bytes)
        {
            bytes = Math.Min(bytes, _share.HeldBytes);
            Consumed += bytes;
            for (long i = 0; i < bytes; i++)
            {
                _budget.ReleaseAhead(_share, Unit);
            }
        }

        public void GiveBack(long mostBytes) => FakeOwner.Shrink(_share, mostBytes);

        public void RanOut()
        {
            // This stream has no floor.
        }

        public override string ToString() => $"{_share.HeldBytes}{(_share.Waiter is null ? "" : _share.Waiter.IsQueued ? " waits" : " is not queued")}";

        public void Close()
        {
            _share.Dispose();
            _budget.ReleaseAhead(_share, _share.HeldBytes);
        }
    }
}
