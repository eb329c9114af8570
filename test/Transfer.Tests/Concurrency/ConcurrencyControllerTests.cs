using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

/// <summary>The controller on a model of a store and its link, in scenarios that differ by their seeds.</summary>
public sealed class ConcurrencyControllerTests
{
    private const int Seeds = 25;

    public static TheoryData<double, double, double, double> Links => new()
    {
        // MiB/s in total, MiB/s of a connection, ms to the first byte, MiB of a request
        { 800, 40, 40, 2 },
        { 800, 40, 40, 4 },
        { 800, 40, 40, 8 },
        { 400, 40, 10, 4 },
        { 1200, 90, 20, 8 },
        { 100, 25, 100, 8 },
        { 3000, 1500, 1, 8 },
        { 800, 40, 1, 2 },
    };

    /// <summary>The store is slow for another reason than these few requests. Fewer requests transfer less, so the limit recovers.</summary>
    [Fact]
    public void Start_StoreBecomesSlow_LimitRecovers()
    {
        ConcurrencyController controller = new(4, 32, 256);
        Assert.Null(controller.Update(SampleOf(32, 0.02, isFull: false)));

        ConcurrencyChange? first = controller.Update(SampleOf(32, 0.2, isFull: true));
        Assert.EachEqual((32, 11, ConcurrencyReason.Crowded), (first?.From, first?.To, first?.Reason));
        Assert.Null(controller.Update(SampleOf(11, 0.2, isFull: true)));
        ConcurrencyChange? second = controller.Update(SampleOf(11, 0.2, isFull: true));
        Assert.EachEqual((11, 8, ConcurrencyReason.Crowded), (second?.From, second?.To, second?.Reason));
        ConcurrencyChange? back = controller.Update(SampleOf(8, 0.2, isFull: true));

        Assert.EachEqual((8, 32, ConcurrencyReason.Loss), (back?.From, back?.To, back?.Reason));
        Assert.NotEqual(ConcurrencyReason.Crowded, controller.Update(SampleOf(32, 0.2, isFull: true))?.Reason);

    }

    /// <summary>
    /// The first durations of a new process, and of a new size of requests, are the best ones. Only the rate shows that a near store is busy with fewer requests.
    /// </summary>
    [Fact]
    public void Start_BestTimesStillImprove_DoublingWithoutGainIsTakenBack()
    {
        ConcurrencyController controller = new(4, 12, 256);
        Assert.Equal(24, controller.Update(SampleOf(12, 0.1, isFull: true, 2 * Sizes.MiB))?.To);
        Assert.Equal(48, controller.Update(SampleOf(24, 0.05, isFull: true, 2 * Sizes.MiB))?.To);

        // These requests are smaller, and the first ones of their size, so their durations are the best ones.
        Assert.Null(controller.Update(SampleOf(48, 0.1, isFull: true, 4096)));
        Assert.True(controller.IsStarting);
        ConcurrencyChange? back = controller.Update(SampleOf(48, 0.1, isFull: true, 4096));

        Assert.EachEqual((48, 24, ConcurrencyReason.NoGain), (back?.From, back?.To, back?.Reason));
        Assert.False(controller.IsStarting);
    }

    /// <summary>On a near store, requests are so short that trying fewer costs nothing. They transfer as much if the link is full.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Start_RequestsAreShort_FewerAreTriedFirst(bool isLinkFull)
    {
        ConcurrencyController controller = new(4, 12, 256);
        controller.Update(SampleOf(12, 0.02, isFull: true, 2 * Sizes.MiB, 0.004));
        Assert.Equal(8, controller.Limit);

        ConcurrencyChange? change = controller.Update(SampleOf(8, isLinkFull ? 0.04 / 3 : 0.02, isFull: true, 2 * Sizes.MiB, 0.004));

        Assert.EachEqual((isLinkFull ? null : 12, !isLinkFull), (change?.To, controller.IsStarting));
        Assert.Equal(isLinkFull, controller.IsCrowded);
        if (!isLinkFull)
        {
            Assert.Equal(24, controller.Update(SampleOf(12, 0.02, isFull: true, 2 * Sizes.MiB, 0.004))?.To);
        }
    }

    /// <summary>
    /// Slow requests share a full link, or each connection is slow. The effect of a doubling would be known late, and so would that of half as many: connections that have just
    /// started are slow anyway.
    /// </summary>
    [Fact]
    public void Start_RequestsOfADownloadAreSlow_LimitStays()
    {
        ConcurrencyController controller = new(4, 12, 256);

        ConcurrencyChange? change = controller.Update(SampleOf(12, 0.8, isFull: true, 2 * Sizes.MiB, 0.08));

        Assert.EachEqual((null, false), (change?.To, controller.IsStarting));
    }

    /// <summary>Parts of uploads can't be divided at the end, so fewer that end together are better if the link is full.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Start_RequestsOfAnUploadAreSlow_FewerAreTriedFirst(bool isLinkFull)
    {
        ConcurrencyController controller = new(4, 12, 256);
        controller.BeginWithFew();
        controller.Responded(0.03, SampleOf(4, 0.1, isFull: true));
        Assert.Equal(6, controller.Update(SampleOf(12, 3.6, isFull: true, 8 * Sizes.MiB, 0.1))?.To);

        ConcurrencyChange? change = controller.Update(SampleOf(6, isLinkFull ? 1.8 : 3.6, isFull: true, 8 * Sizes.MiB, 0.1));

        Assert.EachEqual((isLinkFull ? 4 : 12, !isLinkFull), (change?.To, controller.IsStarting));
    }

    /// <summary>Fewer connections over a long link fill it as well, unless packets are lost, so the limit doesn't come down to the lowest.</summary>
    [Fact]
    public void Descent_StoreIsFar_KeepsEight()
    {
        ConcurrencyController controller = new(4, 12, 256);
        Assert.Equal(24, controller.Update(SampleOf(12, 0.3, isFull: true, 2 * Sizes.MiB, 0.04))?.To);
        for (int i = 0; i < 40; i++)
        {
            controller.Update(SampleOf(controller.Limit, 0.025 * controller.Limit, isFull: true, 2 * Sizes.MiB, 0.04));
            Assert.InRange(controller.Limit, 8, 24);
        }

        Assert.InRange(controller.Limit, 8, 12);
    }

    /// <summary>Requests over a fast link with a latency aren't slow, so the limit doubles at once.</summary>
    [Fact]
    public void Start_LinkIsFastAndFar_LimitDoubles()
    {
        ConcurrencyController controller = new(4, 12, 256);

        Assert.Equal(24, controller.Update(SampleOf(12, 0.09, isFull: true, 2 * Sizes.MiB, 0.04))?.To);
    }

    [Theory]
    [InlineData(0.004, true, 8, 4)]
    [InlineData(0.006, false, 12, 12)]
    public void Responded_FirstResponse_ChoosesTheLimit(double seconds, bool isNear, int ofDownload, int ofUpload)
    {
        ConcurrencyController download = new(4, 12, 256);
        ConcurrencyController upload = new(4, 12, 256);
        upload.BeginWithFew();
        Assert.Equal(4, upload.Limit);

        ConcurrencyChange? lowered = download.Responded(seconds, SampleOf(4, 0.1, isFull: true));
        ConcurrencyChange? raised = upload.Responded(seconds, SampleOf(4, 0.1, isFull: true));

        Assert.Equal(isNear, lowered is { From: 12, To: 8 });
        Assert.Equal(!isNear, raised is { From: 4, To: 12 });
        Assert.EachEqual((ofDownload, ofUpload), (download.Limit, upload.Limit));
        foreach (ConcurrencyController controller in new[] { download, upload })
        {
            Assert.Equal(isNear, controller.IsNear);
            Assert.Equal(!isNear, controller.IsStarting);
        }
    }

    /// <summary>Few connections to a near store are enough unless each of them is slow. Then the limit doubles as for a store that is far.</summary>
    [Theory]
    [InlineData(20, true)]
    [InlineData(100, false)]
    public void Responded_StoreIsNear_LimitDoublesOnlyIfConnectionsAreSlow(int connectionMiB, bool grows)
    {
        ConcurrencyController controller = new(4, 12, 256);
        controller.Responded(0.001, SampleOf(8, 0.1, isFull: true));
        Assert.EachEqual((8, false), (controller.Limit, controller.IsStarting));

        ConcurrencyChange? first = controller.Update(SampleOf(8, 5.0 / connectionMiB, isFull: false, 5 * Sizes.MiB));
        ConcurrencyChange? second = controller.Update(SampleOf(controller.Limit, 5.0 / connectionMiB, isFull: true, 5 * Sizes.MiB));

        Assert.Equal(grows ? 12 : null, first?.To);
        Assert.Equal(grows, second is { To: 24 });
    }

    [Fact]
    public void Responded_LimitHasDoubled_ChangesNothing()
    {
        ConcurrencyController controller = new(4, 12, 256);
        Assert.Equal(24, controller.Update(SampleOf(12, 0.09, isFull: true, 2 * Sizes.MiB, 0.04))?.To);

        Assert.Null(controller.Responded(0.001, SampleOf(12, 0.1, isFull: true)));
        Assert.Equal(24, controller.Limit);
        Assert.True(controller.IsStarting);
    }

    /// <summary>The lowest limit isn't half of the former one. If it transfers less, the former one returns, and not twice the lowest.</summary>
    [Fact]
    public void Descent_LowestLimitTransfersLess_FormerLimitReturns()
    {
        ConcurrencyController controller = new(4, 24, 256);
        Assert.Equal(12, controller.Update(SampleOf(24, 0.02, isFull: true, 2 * Sizes.MiB, 0.004))?.To);
        Assert.Equal(8, controller.Update(SampleOf(12, 0.01, isFull: true, 2 * Sizes.MiB, 0.002))?.To);

        Assert.Equal(12, controller.Update(SampleOf(8, 0.02, isFull: true, 2 * Sizes.MiB, 0.004))?.To);
    }

    /// <summary>Fewer requests than before growth without a gain are tried. If they transfer less, the limit from before that growth returns.</summary>
    [Fact]
    public void Descent_FewerThanBeforeTheGrowthTransferLess_LimitBeforeTheGrowthReturns()
    {
        ConcurrencyController controller = new(4, 12, 256);
        Assert.Equal(24, controller.Update(SampleOf(12, 0.1, isFull: true))?.To);
        Assert.Equal(48, controller.Update(SampleOf(24, 0.1, isFull: true))?.To);

        // Smaller requests have no best durations yet, so only the rate shows that the last doubling brought nothing.
        Assert.Null(controller.Update(SampleOf(48, 0.1, isFull: true, Sizes.MiB)));
        Assert.Equal(12, controller.Update(SampleOf(48, 0.1, isFull: true, Sizes.MiB))?.To);

        Assert.Equal(24, controller.Update(SampleOf(12, 0.1, isFull: true, Sizes.MiB))?.To);
    }

    /// <summary>
    /// A new process reads most first bytes late, also those of a near store. One that arrived early shows how near the store is.
    /// </summary>
    [Theory]
    [InlineData(0.002, 8)]
    [InlineData(0.02, 24)]
    public void Start_OneFirstByteIsEarly_FewerAreTriedFirst(double shortest, int expected)
    {
        ConcurrencyController controller = new(4, 12, 256);
        LoadSample sample = SampleOf(12, 0.09, isFull: true, 2 * Sizes.MiB, 0.04);
        sample.AddCompleted(2 * Sizes.MiB, 0.09, shortest);

        Assert.Equal(expected, controller.Update(sample)?.To);
    }

    /// <summary>Small requests that wait for the processor don't fill a link, so more of them may wait than large ones.</summary>
    [Theory]
    [InlineData(4096, false)]
    [InlineData(2 * Sizes.MiB, true)]
    public void Follow_FortyOfHundredRequestsWait_OnlyLargeOnesAreTooMany(long bytes, bool areTooMany)
    {
        ConcurrencyController controller = new(4, 100, 100);
        controller.Update(SampleOf(100, 0.06, isFull: true, bytes));
        Assert.False(controller.IsStarting);

        controller.Update(SampleOf(100, 0.1, isFull: true, bytes));
        controller.Update(SampleOf(100, 0.1, isFull: true, bytes));
        controller.Update(SampleOf(100, 0.1, isFull: true, bytes));

        Assert.Equal(areTooMany, controller.Limit < 100);
    }

    /// <summary>
    /// The processor delays the first small requests of a process. As long as more of them transfer more, the limit grows; large requests show a full link instead.
    /// </summary>
    [Theory]
    [InlineData(4096, 0.054, true)] // twice the requests transfer 1.33 times as much
    [InlineData(4096, 0.065, false)] // 1.1 times as much
    [InlineData(2 * Sizes.MiB, 0.054, false)]
    public void Start_RequestsTakeLonger_SmallOnesNeedOnlyAGain(long bytes, double duration, bool grows)
    {
        ConcurrencyController controller = new(4, 6, 256);
        Assert.Equal(12, controller.Update(SampleOf(6, 0.036, isFull: true, bytes))?.To);
        Assert.Equal(24, controller.Update(SampleOf(12, 0.036, isFull: true, bytes))?.To);

        controller.Update(SampleOf(24, duration, isFull: true, bytes));

        Assert.Equal(grows, controller.Limit == 48);
        Assert.Equal(grows, controller.IsStarting);
    }

    /// <summary>Small objects that arrive too slowly for the last doubling don't show what another one would bring.</summary>
    [Fact]
    public void Start_SmallObjectsDontUseTheDoubling_LimitStays()
    {
        ConcurrencyController controller = new(4, 6, 256);
        Assert.Equal(12, controller.Update(SampleOf(6, 0.036, isFull: true, 4096))?.To);
        Assert.Equal(24, controller.Update(SampleOf(12, 0.036, isFull: true, 4096))?.To);

        Assert.Null(controller.Update(SampleOf(13, 0.06, isFull: true, 4096)));
        Assert.True(controller.IsStarting);
        Assert.Equal(48, controller.Update(SampleOf(24, 0.054, isFull: true, 4096))?.To);
    }

    /// <summary>The last step to the highest limit can be too small to show an effect. There is no other doubling, so the start ends.</summary>
    [Fact]
    public void Start_SmallObjectsAtTheHighestLimit_Ends()
    {
        ConcurrencyController controller = new(4, 12, 25);
        Assert.Equal(24, controller.Update(SampleOf(12, 0.036, isFull: true, 4096))?.To);
        Assert.Equal(25, controller.Update(SampleOf(24, 0.036, isFull: true, 4096))?.To);

        controller.Update(SampleOf(25, 0.06, isFull: true, 4096));

        Assert.False(controller.IsStarting);
    }

    /// <summary>As many small objects may wait for the processor as the limit lets them, without a remark that more of them bring little.</summary>
    [Theory]
    [InlineData(4096, false)]
    [InlineData(2 * Sizes.MiB, true)]
    public void TwentyOfHundredRequestsWait_OnlyLargeOnesAreCrowded(long bytes, bool isCrowded)
    {
        ConcurrencyController controller = new(4, 100, 100);
        controller.Update(SampleOf(100, 0.08, isFull: true, bytes));
        for (int i = 0; i < 8; i++)
        {
            controller.Update(SampleOf(controller.Limit, 0.1, isFull: true, bytes));
        }

        Assert.Equal(isCrowded, controller.IsCrowded);
    }

    /// <summary>
    /// The store is slow, and also rejects requests. When a reduction is reverted, the limit must not exceed what the store accepted.
    /// </summary>
    [Fact]
    public void StoreIsSlowAndRejects_LimitStaysAtTheAcceptedNumber()
    {
        ConcurrencyController controller = new(4, 100, 256);
        Assert.Null(controller.Update(SampleOf(100, 0.1, isFull: false)));
        Assert.Equal(58, controller.Update(SampleOf(100, 0.2, isFull: true))?.To);
        Assert.Null(controller.Update(SampleOf(58, 0.2, isFull: true)));
        LoadSample rejected = SampleOf(58, 0.2, isFull: true);
        for (int i = 0; i < 60; i++)
        {
            rejected.AddRejected(41 + (i % 18));
        }

        Assert.Equal((40, ConcurrencyReason.Rejected), (controller.Update(rejected) is { } drop ? (drop.To, drop.Reason) : default));

        List<ConcurrencyReason?> reasons = [];
        for (int i = 0; i < 8; i++)
        {
            reasons.Add(controller.Update(SampleOf(controller.Limit, 0.2, isFull: true))?.Reason);
            Assert.InRange(controller.Limit, 4, 40);
        }

        Assert.Contains(ConcurrencyReason.Loss, reasons);
    }

    /// <summary>Each request takes ten times as long. The number of requests must not fall, or the transfer would become even slower.</summary>
    [Fact]
    public void Store_BecomesSlow_LimitDoesNotFall()
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedLink store = new(seed);
            SimulatedClient client = store.Add(4 * Sizes.MiB, hasLatency: seed % 2 == 0);
            store.Run(4);
            double before = GetRate(store, client, 2);
            store.ConnectionBytesPerSecond /= 10;
            store.FirstByteSeconds *= 10;
            store.Run(1);

            double share = GetRate(store, client, 10) / (before / 10);
            Assert.True(share > 0.9, $"{share:0.00} of a tenth of the rate, seed {seed}");
        }
    }

    [Theory]
    [MemberData(nameof(Links))]
    public void Link_IsFull_LimitIsTheNumberThatFillsIt(double link, double connection, double firstByte, double request)
    {
        // A link is full with the requests that transfer it, and those that wait for a first byte meanwhile.
        double needed = link / (request / ((firstByte / 1000) + (request / connection)));
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedLink store = new(seed)
            {
                BytesPerSecond = link * Sizes.MiB,
                ConnectionBytesPerSecond = connection * Sizes.MiB,
                FirstByteSeconds = firstByte / 1000,
                JitterSeconds = firstByte / 20_000,
            };
            SimulatedClient client = store.Add(request * Sizes.MiB, hasLatency: seed % 2 == 0);
            store.Run(4);
            double before = client.Bytes;
            store.Run(6);

            double share = (client.Bytes - before) / 6 / (link * Sizes.MiB);
            Assert.True(share > 0.9, $"{share:0.00} of the rate of the link with {client.Controller.Limit} requests, seed {seed}");
            Assert.InRange(client.Controller.Limit, 1, Math.Max(16, 2 * needed));
        }
    }

    /// <summary>One request, or a few, fill a link. More only need memory, and others wait behind them.</summary>
    [Theory]
    [InlineData(32, 32, 20, 1, 13)] // not fewer than 8, because packets may be lost, and about as many as at the start
    [InlineData(32, 32, 20, 2, 13)]
    [InlineData(500, 500, 1, 2, 8)]
    [InlineData(500, 250, 1, 2, 8)]
    public void Link_FewRequestsFillIt_LimitComesDown(double link, double connection, double firstByte, double request, int most)
    {
        int limits = 0;
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedLink store = new(seed)
            {
                BytesPerSecond = link * Sizes.MiB,
                ConnectionBytesPerSecond = connection * Sizes.MiB,
                FirstByteSeconds = firstByte / 1000,
                JitterSeconds = firstByte / 20_000,
            };
            SimulatedClient client = store.Add(request * Sizes.MiB, hasLatency: seed % 2 == 0);
            store.Run(3);
            double share = GetRate(store, client, 6) / store.BytesPerSecond;

            Assert.True(share > 0.93, $"{share:0.00} of the link with {client.Controller.Limit} requests, seed {seed}");
            limits += client.Controller.Limit;
        }

        Assert.InRange((double)limits / Seeds, 1, most);
    }

    /// <summary>While a new process becomes faster, every doubling seems to bring more. The limit comes down afterwards.</summary>
    [Fact]
    public void Process_BecomesFaster_LimitComesDown()
    {
        int most = 0;
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedLink store = new(seed) { ConnectionBytesPerSecond = 400 * Sizes.MiB, FirstByteSeconds = 0.001, JitterSeconds = 0.0005 };
            SimulatedClient client = store.Add(2 * Sizes.MiB);
            for (int i = 1; i <= 10; i++)
            {
                store.BytesPerSecond = i * 60 * Sizes.MiB;
                store.Run(0.1);
            }

            store.Run(3);
            double share = GetRate(store, client, 4) / store.BytesPerSecond;
            most = Math.Max(most, client.Controller.Limit);
            Assert.True(share > 0.93, $"{share:0.00} of the link with {client.Controller.Limit} requests, seed {seed}");
        }

        Assert.InRange(most, 1, 8);
    }

    /// <summary>
    /// A new process reads its first bytes late, and then finds all data in the connection's buffers. The data only seems to take no time.
    /// </summary>
    [Fact]
    public void FirstBytesAreReadLate_BestTimesAreOfWholeRequests()
    {
        ConcurrencyController controller = new(4, 32, 256);
        controller.Update(LargeSampleOf(2, latency: 0.1, data: 0.0001));
        Assert.InRange(controller.LatencyBytes, 1, 4 * Sizes.MiB);

        controller.Update(LargeSampleOf(2, latency: 0.04, data: 0.05));
        Assert.Equal(1, controller.Efficiency, 2);
        Assert.Equal(1.6 * Sizes.MiB, controller.LatencyBytes, 0.01 * Sizes.MiB);

        controller.Update(LargeSampleOf(2, latency: 0.04, data: 0.1));
        Assert.Equal(0.09 / 0.14, controller.Efficiency, 2);
    }

    /// <summary>The first requests of a size can be measured on a full link. Smaller requests give an upper bound of their best time.</summary>
    [Fact]
    public void RequestsBecomeLargerOnAFullLink_SmallerOnesLimitTheBestTime()
    {
        ConcurrencyController controller = new(4, 32, 256);
        controller.Update(LargeSampleOf(2, latency: 0.04, data: 0.05));

        controller.Update(LargeSampleOf(8, latency: 0.04, data: 0.8));

        Assert.InRange(controller.Efficiency, 0.24 / 0.84, 0.37 / 0.84);
    }

    /// <summary>A transfer that can't use more slots can still have too many.</summary>
    [Theory]
    [InlineData(32, 2 * Sizes.MiB, true)]
    [InlineData(16, 2 * Sizes.MiB, true)]
    [InlineData(11, 2 * Sizes.MiB, false)]
    [InlineData(32, 4096, false)] // the processor or a disk delays small objects that can't use all slots
    public void Start_NothingWaitsForSlots_CrowdedLimitDrops(int inFlight, long bytes, bool isCrowded)
    {
        ConcurrencyController controller = new(4, 32, 256);
        Assert.Null(controller.Update(SampleOf(32, 0.1, isFull: false, bytes)));

        ConcurrencyChange? change = controller.Update(SampleOf(inFlight, 0.3, isFull: false, bytes));

        Assert.Equal(isCrowded ? ConcurrencyReason.Crowded : null, change?.Reason);
        Assert.Equal(!isCrowded, controller.IsStarting);
    }

    /// <summary>Fewer requests transfer less from a store that became slow, whether or not they used all slots before.</summary>
    [Fact]
    public void StoreBecomesSlow_SlotsAreUnused_LimitRecovers()
    {
        ConcurrencyController controller = new(4, 64, 64);
        Assert.Null(controller.Update(SampleOf(64, 0.03, isFull: true, 2 * Sizes.MiB)));

        List<ConcurrencyReason> reasons = [];
        for (int i = 0; i < 20; i++)
        {
            int inFlight = Math.Min(30, controller.Limit);
            if (controller.Update(SampleOf(inFlight, 0.2, isFull: inFlight < 30, 2 * Sizes.MiB)) is { } change)
            {
                reasons.Add(change.Reason);
            }
        }

        Assert.Equal([ConcurrencyReason.Crowded, ConcurrencyReason.Crowded, ConcurrencyReason.Loss], reasons);
        Assert.Equal(64, controller.Limit);
    }

    /// <summary>
    /// A request that waits on a full link must not be attributed to memory or to the highest limit, however many requests fill the link.
    /// </summary>
    [Theory]
    [MemberData(nameof(Links))]
    public void Link_IsFull_IsCrowded(double link, double connection, double firstByte, double request)
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedLink store = new(seed) { BytesPerSecond = link * Sizes.MiB, ConnectionBytesPerSecond = connection * Sizes.MiB, FirstByteSeconds = firstByte / 1000 };
            SimulatedClient client = store.Add(request * Sizes.MiB, hasLatency: seed % 2 == 0);
            store.Run(4);
            int crowded = 0;
            for (int i = 0; i < 20; i++)
            {
                store.Run(0.25);
                crowded += client.Controller.IsCrowded ? 1 : 0;
            }

            // Not always: right after a change, there is only a single sample.
            Assert.True(crowded > 10, $"the link was crowded {crowded} of 20 times; in the end, the efficiency was {client.Controller.Efficiency:0.00} with {client.Controller.Limit} requests, seed {seed}");
        }
    }

    /// <summary>Ranges grow after the start. Those that need fewer requests must not keep the number that small ones needed.</summary>
    [Fact]
    public void Requests_BecomeLarger_LimitFollows()
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedLink store = new(seed) { BytesPerSecond = 1250 * Sizes.MiB, ConnectionBytesPerSecond = 1250 * Sizes.MiB, FirstByteSeconds = 0.03 };
            SimulatedClient client = store.Add(2 * Sizes.MiB);
            store.Run(2);
            int small = client.Controller.Limit;
            client.RequestBytes = 8 * Sizes.MiB;
            store.Run(6);

            double share = GetRate(store, client, 5) / store.BytesPerSecond;
            Assert.True(share > 0.92 && client.Controller.Limit < small, $"{share:0.00} of the link with {client.Controller.Limit} requests after {small}, seed {seed}");
        }
    }

    [Fact]
    public void SmallObjects_UseAllSlotsThatHelp()
    {
        SimulatedLink store = new(1);
        SimulatedClient client = store.Add(64 * Sizes.KiB);

        store.Run(2);

        Assert.Equal(256, client.Controller.Limit);
        Assert.False(client.Controller.IsCrowded);
    }

    [Fact]
    public void Link_HalvesAndRecovers_LimitFollows()
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedLink store = new(seed);
            SimulatedClient client = store.Add(4 * Sizes.MiB);
            store.Run(10);
            store.BytesPerSecond /= 2;
            store.Run(2);
            double halved = GetRate(store, client, 8) / store.BytesPerSecond;
            store.BytesPerSecond *= 2;
            store.Run(2);
            double recovered = GetRate(store, client, 8) / store.BytesPerSecond;

            Assert.True(halved > 0.85 && recovered > 0.85, $"{halved:0.00} of the halved link, then {recovered:0.00}, seed {seed}");
        }
    }

    [Fact]
    public void Store_RejectsRequests_LoadStaysJustBelow()
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedLink store = new(seed) { BytesPerSecond = 8_000 * Sizes.MiB, MostRequests = 40 };
            SimulatedClient client = store.Add(4 * Sizes.MiB);
            store.Run(5);
            (int requests, int rejected) = (client.Requests, client.Rejected);
            double best = 40 * 4 * Sizes.MiB / (0.04 + (4.0 / 40));

            double share = GetRate(store, client, 30) / best;
            double refused = (double)(client.Rejected - rejected) / (client.Requests - requests);

            Assert.True(share > 0.9 && refused < 0.02, $"{share:0.00} of the best rate, and {refused:0.000} were rejected, seed {seed}");
        }
    }

    /// <summary>The start exceeds what the store accepts. Even in a transfer of 2 GiB, this must cost little.</summary>
    [Fact]
    public void Store_RejectsRequests_ShortTransferIsFast()
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedLink store = new(seed) { BytesPerSecond = 8_000 * Sizes.MiB, MostRequests = 40 };
            SimulatedClient client = store.Add(2 * Sizes.MiB);
            while (client.Bytes < 2048.0 * Sizes.MiB)
            {
                store.Run(0.01);
            }

            // With 40 requests from the beginning, the first ones complete after the time of one request.
            double request = 0.04 + (2.0 / 40);
            double shortest = request + (2048.0 / (40 * 2 / request));
            double share = shortest / store.Now;
            Assert.True(share > 0.925, $"{share:0.00} of the best rate with {client.Controller.Limit} requests, seed {seed}");
            Assert.InRange(client.Controller.Limit, 38, 40);
        }
    }

    /// <summary>
    /// The store doesn't limit the requests in flight, so their number doesn't tell its limit. A small share that doesn't fall with the limit isn't due to it.
    /// </summary>
    [Theory]
    [InlineData(15, new[] { 99, 69, 48, 33, 23 })]
    [InlineData(5, new[] { 99, 89, 80, 72, 100 })]
    public void Store_KeepsRejecting_LimitFallsByTheRejectedShare(int rejected, int[] expected)
    {
        ConcurrencyController controller = new(4, 100, 256);
        List<int> limits = [];
        for (int i = 0; i < expected.Length; i++)
        {
            LoadSample sample = new() { Seconds = 0.1, SlotSeconds = 0.1 * controller.Limit, FullSeconds = 0.1, Started = 50 };
            for (int request = 0; request < 50 - rejected; request++)
            {
                sample.AddCompleted(Sizes.MiB, 0.05);
            }

            for (int request = 0; request < rejected; request++)
            {
                sample.AddRejected(controller.Limit);
            }

            controller.Update(sample);
            limits.Add(controller.Limit);
        }

        Assert.Equal(expected, limits);
    }

    /// <summary>
    /// A hot prefix, another client, or one overloaded server: the store rejects a share of the requests, however many are in flight. That costs about this share, and not
    /// the link.
    /// </summary>
    [Theory]
    [InlineData(0.001, 0.98, 0.9)]
    [InlineData(0.002, 0.98, 0.9)]
    [InlineData(0.01, 0.97, 0.85)]
    [InlineData(0.02, 0.95, 0.75)]
    [InlineData(0.1, 0.8, 0.5)]
    public void Store_RejectsAtRandom_CostsAboutThatShare(double rejected, double leastMean, double least)
    {
        double worst = double.MaxValue;
        double sum = 0;
        for (int seed = 0; seed < Seeds; seed++)
        {
            double[] bytes = new double[2];
            for (int i = 0; i < 2; i++)
            {
                SimulatedLink store = new(seed) { RejectedShare = i * rejected, ConnectionBytesPerSecond = 4 * Sizes.MiB };
                SimulatedClient client = store.Add(Sizes.MiB);
                store.Run(20);
                bytes[i] = client.Bytes;
            }

            sum += bytes[1] / bytes[0];
            worst = Math.Min(worst, bytes[1] / bytes[0]);
        }

        Assert.True(sum / Seeds > leastMean && worst > least, $"{sum / Seeds:0.000} of the rate without rejections, {worst:0.000} in the worst case");
    }

    /// <summary>The store limits requests per second, and more requests in flight only mean more rejections.</summary>
    [Fact]
    public void Store_LimitsRequestsPerSecond_FewAreRejected()
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedLink store = new(seed) { MostPerSecond = (400, 40) };
            SimulatedClient client = store.Add(Sizes.MiB);
            store.Run(5);
            (int requests, int rejected) = (client.Requests, client.Rejected);

            double share = GetRate(store, client, 30) / (400 * Sizes.MiB);
            double refused = (double)(client.Rejected - rejected) / (client.Requests - requests);

            Assert.True(share > 0.9 && refused < 0.05, $"{share:0.00} of the best rate, and {refused:0.000} were rejected, seed {seed}");
        }
    }

    [Fact]
    public void Noise_LimitIsSteady()
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedLink store = new(seed) { FirstByteSeconds = 0.025, JitterSeconds = 0.02, SlowShare = 0.01 };
            SimulatedClient client = store.Add(4 * Sizes.MiB);
            store.Run(5);
            List<int> limits = [];
            double before = client.Bytes;
            for (int i = 0; i < 100; i++)
            {
                store.Run(0.1);
                limits.Add(client.Controller.Limit);
            }

            double share = (client.Bytes - before) / 10 / store.BytesPerSecond;
            Assert.True(share > 0.9, $"{share:0.00} of the link, seed {seed}");
            Assert.True(limits.Max() <= 1.25 * limits.Min(), $"between {limits.Min()} and {limits.Max()} requests, seed {seed}");
        }
    }

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    public void Clients_StartTogether_ShareTheLinkWithin15Percent(int clients) => AssertShares(new double[clients], 0.85 / clients, 1.15 / clients);

    [Fact]
    public void Client_StartsOnAFullLink_SharesItWithin15Percent() => AssertShares([0, 5], 0.85 / 2, 1.15 / 2);

    /// <summary>
    /// The third client can't tell that the requests on the link belong to two others. It still takes less than twice its share, and leaves half of
    /// theirs.
    /// </summary>
    [Fact]
    public void Clients_StartOneByOne_NoneStarves() => AssertShares([0, 5, 10], 0.5 / 3, 2.0 / 3);

    [Fact]
    public void NoDemand_LimitStays()
    {
        ConcurrencyController controller = new(4, 8, 256);
        LoadSample sample = new() { Seconds = 1, SlotSeconds = 2 };
        for (int i = 0; i < 100; i++)
        {
            sample.AddCompleted(Sizes.MiB, 0.01);
        }

        for (int i = 0; i < 10; i++)
        {
            Assert.Null(controller.Update(sample));
        }

        Assert.Equal(8, controller.Limit);
    }

    [Theory]
    [InlineData(4, 8, 2, 2)]
    [InlineData(4, 8, 6, 6)]
    [InlineData(4, 2, 100, 4)]
    public void Start_IsWithinTheBounds(int min, int start, int max, int expected) => Assert.Equal(expected, new ConcurrencyController(min, start, max).Limit);

    private static double GetRate(SimulatedLink store, SimulatedClient client, double seconds)
    {
        double before = client.Bytes;
        store.Run(seconds);
        return (client.Bytes - before) / seconds;
    }

    private static void AssertShares(double[] starts, double least, double most)
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            SimulatedLink store = new(seed);
            SimulatedClient[] clients = [.. starts.Select((start, i) => store.Add(4 * Sizes.MiB, start, hasLatency: (seed + i) % 2 == 0))];
            store.Run(20);
            double[] before = [.. clients.Select(client => client.Bytes)];
            store.Run(30);

            double[] shares = [.. clients.Zip(before, (client, bytes) => (client.Bytes - bytes) / 30 / store.BytesPerSecond)];
            string text = $"shares of {string.Join(", ", shares.Select(one => $"{one:0.000}"))}, seed {seed}";
            Assert.True(shares.Min() > least && shares.Max() < most, text);
            Assert.True(shares.Sum() > 0.97, text);
        }
    }

    private static LoadSample LargeSampleOf(int mib, double latency, double data)
    {
        LoadSample sample = new() { Seconds = 1, SlotSeconds = 12, FullSeconds = 1 };
        for (int i = 0; i < 12 / (latency + data); i++)
        {
            sample.AddCompleted(mib * Sizes.MiB, latency + data, latency);
        }

        return sample;
    }

    private static LoadSample SampleOf(int inFlight, double latency, bool isFull, long bytes = 2 * Sizes.MiB, double? firstByte = null)
    {
        LoadSample sample = new() { Seconds = 1, SlotSeconds = inFlight, FullSeconds = isFull ? 1 : 0, Started = (int)(inFlight / latency) };
        for (int i = 0; i < inFlight / latency; i++)
        {
            sample.AddCompleted(bytes, latency, firstByte ?? latency);
        }

        return sample;
    }
}
