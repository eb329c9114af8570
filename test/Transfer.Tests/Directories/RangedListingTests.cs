using System.Globalization;
using System.Net;
using System.Text;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Directories;

/// <summary>Listings whose ranges are listed at the same time must be what one listing after the other is.</summary>
public sealed class RangedListingTests
{
    private static readonly string[] Parts = ["a", "b", "ab", "/", "//", "-", ".", "0", "9", "Z", "é", "\uFF21", "\U0001F600", "\U0010FFFF", "~", " ", "\u0001", "logs/2026/11/26/", "x", "same/long/prefix/of/all/keys/"];

    public static TheoryData<string> KeyKinds => new("words", "numbers", "hashes", "folders", "prefixes", "tree");

    [Theory]
    [MemberData(nameof(KeyKinds))]
    public async Task Keys_AreThoseOfOneListing(string kind)
    {
        int divided = 0;
        for (int seed = 0; seed < LongTests.Choose(full: 350, quick: 40); seed++)
        {
            Random random = new(seed);
            SimulatedListing store = NewStore(random, kind);

            (List<string> listed, Exception? error) = await store.ListAsync();

            Assert.Null(error);
            AssertSame(store.Keys, listed, $"seed {seed}");
            AssertIsClean(store, $"seed {seed}");
            divided += store.Starts.Count > 0 ? 1 : 0;
        }

        Assert.True(divided > 0, "nothing was divided");
    }

    /// <summary>
    /// The rate and the requests of a store that needs 30 ms for each page, with a caller that needs almost nothing. Requests cost money. In a tree, each page is a folder,
    /// so the ends of ranges are the ends of pages, which takes the most requests.
    /// </summary>
    [Theory]
    [InlineData("hashes", 1000, 8)]
    [InlineData("numbers", 1000, 8)]
    [InlineData("tree", 1000, 8)]
    [InlineData("folders", 1000, 4)]
    [InlineData("hashes", 200, 6)]
    [InlineData("numbers", 200, 6)]
    [InlineData("tree", 200, 6)]
    [InlineData("folders", 200, 4)]
    public async Task SlowStore_IsListedMuchFaster_WithFewMoreRequests(string kind, int pages, double leastFactor)
    {
        Random random = new(1);
        SimulatedListing store = new(random, GetKeys(random, kind, pages * 100)) { PageSize = 100, MostAtOnce = 20 };

        (List<string> listed, _) = await store.ListAsync();

        AssertSame(store.Keys, listed, kind);
        int needed = (store.Keys.Count + store.PageSize - 1) / store.PageSize;
        double factor = needed * 30 / store.Elapsed.TotalMilliseconds;
        Assert.True(
            factor >= leastFactor && store.Requests <= needed * 1.25,
            string.Create(CultureInfo.InvariantCulture, $"{factor:0.0} times as fast, {store.Requests} requests for {needed} pages"));
        Assert.InRange(store.MostInFlight, 2, store.MostAtOnce + 1);
    }

    [Theory]
    [MemberData(nameof(KeyKinds))]
    public async Task FewPages_TakeNoMoreRequests(string kind)
    {
        Random random = new(1);
        SimulatedListing store = new(random, GetKeys(random, kind, 1000)) { PageSize = 250 };

        (List<string> listed, _) = await store.ListAsync();

        AssertSame(store.Keys, listed, kind);
        Assert.EachEqual(((store.Keys.Count + 249) / 250, 1), (store.Requests, store.MostInFlight));
    }

    /// <summary>A caller that is slower than the store, and a store that is fast, need no more than the next page.</summary>
    [Theory]
    [InlineData(30, 40)]
    [InlineData(5, 0)]
    public async Task ListingThatIsNotSlowerThanItsUse_IsNotDivided(int milliseconds, int use)
    {
        Random random = new(1);
        SimulatedListing store = new(random, GetKeys(random, "hashes", 1000)) { Milliseconds = (milliseconds, milliseconds + 1), Use = () => TimeSpan.FromMilliseconds(use) };

        (List<string> listed, _) = await store.ListAsync();

        AssertSame(store.Keys, listed, "all");
        Assert.EachEqual((100, 1, 0), (store.Requests, store.MostInFlight, store.Starts.Count));
    }

    [Theory]
    [MemberData(nameof(KeyKinds))]
    public async Task StoreThatIgnoresWhereToStart_IsListedSerially(string kind)
    {
        for (int seed = 0; seed < LongTests.Choose(full: 100, quick: 20); seed++)
        {
            Random random = new(seed);
            SimulatedListing store = NewStore(random, kind, ignoresStartAfter: true);

            (List<string> listed, Exception? error) = await store.ListAsync();

            Assert.Null(error);
            AssertSame(store.Keys, listed, $"seed {seed}");
            AssertIsClean(store, $"seed {seed}");
            Assert.True(store.Starts.Count <= 2 * store.MostAtOnce, $"seed {seed}: {store.Starts.Count} ranges were tried");
        }
    }

    [Theory]
    [InlineData(HttpStatusCode.BadRequest)]
    [InlineData(HttpStatusCode.NotImplemented)]
    public async Task StoreThatRefusesWhereToStart_IsListedSerially(HttpStatusCode status)
    {
        Random random = new(1);
        SimulatedListing store = new(random, GetKeys(random, "hashes", 2000))
        {
            Fails = (query, _) => query.StartAfter is null ? null : Failure(status),
        };

        (List<string> listed, Exception? error) = await store.ListAsync();

        Assert.Null(error);
        AssertSame(store.Keys, listed, "all");
        Assert.NotEmpty(store.Starts);
    }

    /// <summary>A store with an order of its own is listed as without ranges, even if its first pages are in the usual order.</summary>
    [Fact]
    public async Task StoreWithAnotherOrder_IsListedCompletely()
    {
        int divided = 0;
        for (int seed = 0; seed < LongTests.Choose(full: 300, quick: 60); seed++)
        {
            // Pages are in order as a whole, and keys within them aren't, so one listing accepts them.
            string[] keys = [.. GetKeys(new Random(seed), "hashes", 1000).Order(KeyOrder.Instance)];
            Random random = new(seed);
            int[] places = [.. Enumerable.Range(0, keys.Length)];
            for (int i = 60 + random.Next(200); i + 3 < keys.Length; i += random.Next(4, 60))
            {
                (places[i], places[i + 2]) = (places[i + 2], places[i]);
            }

            Dictionary<string, int> rank = keys.Select((key, i) => (key, places[i])).ToDictionary(StringComparer.Ordinal);
            Comparer<string> order = Comparer<string>.Create((x, y) => GetPlace(x) is var place && place == GetPlace(y) ? KeyOrder.Instance.Compare(x, y) : place.CompareTo(GetPlace(y)));
            SimulatedListing serial = new(new Random(seed), keys) { Order = order, Milliseconds = (0, 1) };
            SimulatedListing store = new(new Random(seed), keys) { Order = order };

            (List<string> expected, Exception? failure) = await serial.ListAsync();
            (List<string> listed, Exception? error) = await store.ListAsync();

            divided += store.Starts.Count > 0 ? 1 : 0;
            if (failure is null && error is null)
            {
                Assert.Equal(expected.Order(KeyOrder.Instance), listed.Order(KeyOrder.Instance));
            }

            double GetPlace(string key) => rank.TryGetValue(key, out int place) ? place : Array.BinarySearch(keys, key, KeyOrder.Instance) is var at && at < 0 ? ~at - 0.5 : at;
        }

        Assert.True(divided > 0);
    }

    [Theory]
    [MemberData(nameof(KeyKinds))]
    public async Task ErrorFromAKeyOn_IsThrownThere(string kind)
    {
        for (int seed = 0; seed < LongTests.Choose(full: 150, quick: 25); seed++)
        {
            Random random = new(seed);
            string[] keys = [.. GetKeys(random, kind, random.Next(200, 1500)).Order(KeyOrder.Instance)];
            string broken = keys[random.Next(keys.Length)];
            TransferException expected = Failure(HttpStatusCode.Forbidden);
            SimulatedListing store = NewStore(random, keys, fails: (_, page) => page.Contains(broken) ? expected : null);

            (List<string> listed, Exception? error) = await store.ListAsync();

            Assert.Same(expected, error);
            AssertSame(keys.Take(listed.Count), listed, $"seed {seed}");
            int at = Array.IndexOf(keys, broken);
            Assert.InRange(listed.Count, Math.Max(0, at - store.PageSize), at);
            AssertIsClean(store, $"seed {seed}");
        }
    }

    [Theory]
    [MemberData(nameof(KeyKinds))]
    public async Task AnyRequestFails_ListsOnlyWhatIsBefore(string kind)
    {
        for (int seed = 0; seed < LongTests.Choose(full: 150, quick: 25); seed++)
        {
            Random random = new(seed);
            string[] keys = [.. GetKeys(random, kind, random.Next(200, 1500)).Order(KeyOrder.Instance)];
            int left = random.Next(1, 60);
            SimulatedListing store = NewStore(random, keys, fails: (_, _) => --left == 0 ? Failure(HttpStatusCode.ServiceUnavailable) : null);

            (List<string> listed, Exception? error) = await store.ListAsync();

            AssertSame(keys.Take(listed.Count), listed, $"seed {seed}");
            Assert.True(error is TransferException || listed.Count == keys.Length, $"seed {seed}: {listed.Count} of {keys.Length} keys without an error");
            AssertIsClean(store, $"seed {seed}");
        }
    }

    /// <summary>An error of the listing itself must end it as well, whether it happens before a request or after its answer.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task UnexpectedError_EndsTheListing(bool isOfAnswer)
    {
        int failed = 0;
        for (int seed = 0; seed < LongTests.Choose(full: 300, quick: 60); seed++)
        {
            Random random = new(seed);
            string[] keys = [.. GetKeys(random, "hashes", 1500).Order(KeyOrder.Instance)];
            int left = 1 + random.Next(isOfAnswer ? 60 : 200);
            SimulatedListing store = new(random, keys)
            {
                PageSize = random.Next(5, 30),
                Milliseconds = (30, 60),
                AnswersNothing = () => isOfAnswer && --left == 0,
                LimitAsked = () => _ = !isOfAnswer && --left == 0 ? throw new InvalidTimeZoneException() : 0,
            };

            (List<string> listed, Exception? error) = await store.ListAsync();

            AssertSame(keys.Take(listed.Count), listed, $"seed {seed}");
            Assert.True(isOfAnswer ? error is NullReferenceException : error is InvalidTimeZoneException || left > 0, $"seed {seed}: {error}");
            Assert.True(error is not null || listed.Count == keys.Length, $"seed {seed}: {listed.Count} of {keys.Length} keys without an error");
            AssertIsClean(store, $"seed {seed}");
            failed += error is null ? 0 : 1;
        }

        Assert.True(failed > 0);
    }

    [Theory]
    [MemberData(nameof(KeyKinds))]
    public async Task KeysThatComeAndGo_ChangeNothingForTheOthers(string kind)
    {
        for (int seed = 0; seed < LongTests.Choose(full: 150, quick: 25); seed++)
        {
            Random random = new(seed);
            string[] keys = [.. GetKeys(random, kind, random.Next(200, 1500))];
            HashSet<string> changing = [.. keys.Where(_ => random.Next(4) == 0)];
            SimulatedListing store = null!;
            store = NewStore(random, keys, beforeAnswer: () =>
            {
                for (int i = 0; i < 5 && changing.Count > 0; i++)
                {
                    string key = changing.ElementAt(random.Next(changing.Count));
                    _ = store.Keys.Remove(key) || store.Keys.Add(key);
                }
            });

            (List<string> listed, Exception? error) = await store.ListAsync();

            Assert.Null(error);
            Assert.True(listed.Zip(listed.Skip(1)).All(pair => KeyOrder.Instance.Compare(pair.First, pair.Second) < 0), $"seed {seed}: not in order");
            AssertSame(keys.Except(changing).Order(KeyOrder.Instance), [.. listed.Where(key => !changing.Contains(key))], $"seed {seed}");
        }
    }

    [Fact]
    public async Task EnumerationThatEndsEarly_LeavesNothing()
    {
        for (int seed = 0; seed < LongTests.Choose(full: 200, quick: 40); seed++)
        {
            Random random = new(seed);
            SimulatedListing store = NewStore(random, "hashes");

            (_, Exception? error) = await store.ListAsync(pages: random.Next(1, 40));

            Assert.Null(error);
            AssertIsClean(store, $"seed {seed}");
        }
    }

    [Fact]
    public async Task Cancellation_EndsAllRequests()
    {
        for (int seed = 0; seed < LongTests.Choose(full: 200, quick: 40); seed++)
        {
            Random random = new(seed);
            using CancellationTokenSource stop = new();
            int left = random.Next(1, 60);
            SimulatedListing store = NewStore(random, [.. GetKeys(random, "hashes", 2000)], beforeAnswer: () =>
            {
                if (--left == 0)
                {
                    stop.Cancel();
                }
            });

            (_, Exception? error) = await store.ListAsync(cancellationToken: stop.Token);

            Assert.True(error is OperationCanceledException || left > 0, $"seed {seed}: {error}");
            AssertIsClean(store, $"seed {seed}");
        }
    }

    /// <summary>Without memory, only the next page is requested. The listing never waits for memory.</summary>
    [Fact]
    public async Task NoMemory_ListsSerially()
    {
        Random random = new(1);
        SimulatedListing store = new(random, GetKeys(random, "hashes", 2000), memoryBytes: 64 * 1024) { PageSize = 50 };

        (List<string> listed, _) = await store.ListAsync();

        AssertSame(store.Keys, listed, "all");
        Assert.EachEqual((40, 1), (store.Requests, store.MostInFlight));
    }

    /// <summary>Others that need the memory get it back, and the pages are listed again.</summary>
    [Fact]
    public async Task MemoryThatOthersNeed_IsGivenBack()
    {
        const int Left = 32 * 1024;
        int given = 0;
        for (int seed = 0; seed < LongTests.Choose(full: 100, quick: 20); seed++)
        {
            Random random = new(seed);
            SimulatedListing store = null!;
            Task? other = null;
            long bytes = 0;
            store = NewStore(random, [.. GetKeys(random, "hashes", 3000)], use: () =>
            {
                if (other is null && store.Budget.ReservedBytes > Left)
                {
                    bytes = store.Budget.CapacityBytes - Left;
                    other = store.Budget.ReserveAsync(MemoryUse.Transient, bytes, CancellationToken.None).AsTask();
                    given += other.IsCompletedSuccessfully ? 1 : 0;
                }
                else if (other is { IsCompletedSuccessfully: true } && random.Next(10) == 0)
                {
                    store.Budget.Release(MemoryUse.Transient, bytes);
                    other = null;
                }

                return TimeSpan.FromMilliseconds(random.Next(2));
            });

            (List<string> listed, Exception? error) = await store.ListAsync();

            Assert.Null(error);
            AssertSame(store.Keys, listed, $"seed {seed}");
            if (other is not null)
            {
                await other.Within(); // nothing is left that it waits for
                store.Budget.Release(MemoryUse.Transient, bytes);
            }

            AssertIsClean(store, $"seed {seed}");
        }

        Assert.True(given > 0, "no memory was given back");
    }

    private static SimulatedListing NewStore(Random random, string kind, bool ignoresStartAfter = false)
        => NewStore(random, [.. GetKeys(random, kind, random.Next(3) == 0 ? random.Next(40) : random.Next(2500))], ignoresStartAfter: ignoresStartAfter);

    private static SimulatedListing NewStore(
        Random random,
        string[] keys,
        bool ignoresStartAfter = false,
        Func<ListQuery, IReadOnlyList<string>, Exception?>? fails = null,
        Action? beforeAnswer = null,
        Func<TimeSpan>? use = null)
    {
        int most = random.Next(1, 120);
        int work = random.Next(25);
        return new SimulatedListing(random, keys, memoryBytes: random.Next(4) == 0 ? Sizes.MiB : 64 * Sizes.MiB)
        {
            PageSize = random.Next(1, 30),
            MostAtOnce = random.Next(1, 33),
            Milliseconds = (10, 20 + most),
            Use = use ?? (() => TimeSpan.FromMilliseconds(random.Next(1 + work))),
            IgnoresStartAfter = ignoresStartAfter,
            Fails = fails,
            BeforeAnswer = beforeAnswer,
        };
    }

    private static IEnumerable<string> GetKeys(Random random, string kind, int count) => Enumerable.Range(0, count).Select(i => kind switch
    {
        "numbers" => string.Create(CultureInfo.InvariantCulture, $"file-{i:0000000}.bin"),
        "hashes" => $"{random.NextInt64():x16}",
        "folders" => string.Create(CultureInfo.InvariantCulture, $"{"company/department/project/data"}/{2020 + random.Next(7)}/{1 + random.Next(12):00}/{1 + random.Next(28):00}/host-{random.Next(30)}/{random.Next():x8}.log.gz"),
        "prefixes" => new string((char)('a' + random.Next(3)), 1 + random.Next(300)) + (random.Next(2) == 0 ? "" : "/"),
        "tree" => string.Create(CultureInfo.InvariantCulture, $"tree/d{i / 100:0000}/object-{i:000000}.bin"),
        _ => WordOf(random),
    }).Distinct(StringComparer.Ordinal);

    private static string WordOf(Random random)
    {
        StringBuilder key = new();
        for (int length = random.Next(1, 9); length > 0; length--)
        {
            key.Append(Parts[random.Next(Parts.Length)]);
        }

        return key.ToString();
    }

    private static TransferException Failure(HttpStatusCode status)
    {
        ObjectAddress address = new(FakeS3.Bucket, string.Empty);
        return new TransferException("the listing failed", address, new WireException(FailureKind.Final, "failed") { StatusCode = status });
    }

    private static void AssertSame(IEnumerable<string> expected, List<string> listed, string about)
    {
        string[] all = [.. expected];
        int same = all.Zip(listed).TakeWhile(pair => pair.First == pair.Second).Count();
        Assert.True(
            same == all.Length && same == listed.Count,
            $"{about}: {listed.Count} keys instead of {all.Length}. After {same}, '{listed.ElementAtOrDefault(same)}' was listed instead of '{all.ElementAtOrDefault(same)}'.");
    }

    private static void AssertIsClean(SimulatedListing store, string about)
    {
        Assert.True(store.Budget.ReservedBytes == 0, $"{about}: {store.Budget.ReservedBytes} bytes are still reserved");
        Assert.All(store.Starts, start => Assert.True(start.StartsWith(store.Prefix, StringComparison.Ordinal) && !start.EnumerateRunes().Contains(Rune.ReplacementChar), $"{about}: '{start}'"));
    }
}
