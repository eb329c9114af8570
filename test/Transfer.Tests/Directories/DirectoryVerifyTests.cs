using System.Collections.Concurrent;
using System.Net;
using Amazon.S3.Model;
using Transfer.S3.Requests;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Verify;

namespace Transfer.S3.Tests.Directories;

/// <summary>Comparisons of a folder with a prefix: which differences are reported, and which requests are sent.</summary>
public sealed class DirectoryVerifyTests : TransferTest
{
    private static readonly string[] Names = ["a!", "a/!", "a/b", "a/b!/c", "a/b-/c", "a/\U0001F600", "a/\uFF21", "a-b", "a0", "ab", "A", "é", "\uE000/x", "\U0001F600/x", "\U0001F600!", "z/y/x/w"];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(1000)]
    public async Task EverythingTheSame_RequestsOnlyTheListing(int pageSize)
    {
        S3.PageSize = pageSize;
        CreateOnBothSides(Names);
        CreateOnBothSides("x/empty");
        S3.Objects["p/x/empty"] = new FakeObject([], "\"opaque\"");
        File.WriteAllBytes(Folder.File("x/empty"), []);

        DirectoryResult result = await VerifyAsync();

        Assert.True(result.Counts.IsComplete, Show(result));
        Assert.EachEqual((Names.Length + 1, Names.Sum(name => name.Length)), (result.Counts.Same, result.Counts.Bytes));
        Assert.All(S3.Calls, call => Assert.Equal(S3Call.List, call.Operation));
        Assert.Equal(S3.Calls.Count, result.Statistics.Requests);
    }

    /// <summary>Removes every name from either side in turn, and expects it to be reported as missing there only.</summary>
    [Fact]
    public async Task MissingNames_AreFoundOnEitherSide()
    {
        TransferClient client = NewClient();
        foreach (string name in Names)
        {
            foreach (string other in Names.Where(other => other != name))
            {
                CreateOnBothSides(Names);
                File.Delete(Folder.File(name));
                S3.Objects.TryRemove("p/" + other, out _);

                DirectoryResult result = await VerifyAsync(client: client);

                Assert.EachEqual((Names.Length - 2, 1, 1, 2), (result.Counts.Same, result.Counts.OnlyAtTarget, result.Counts.OnlyAtSource, result.Failures.Count));
                Assert.Contains((OutcomeStatus.OnlyAtTarget, name, Folder.File(name), "there is no such file"), result.Failures.Select(one => (one.Status, one.Name, one.Source, one.Reason)));
                Assert.Contains((OutcomeStatus.OnlyAtSource, other, Folder.File(other), "there is no such object"), result.Failures.Select(one => (one.Status, one.Name, one.Source, one.Reason)));
            }
        }
    }

    [Fact]
    public async Task EmptySide_AllNamesAreMissing()
    {
        Assert.True((await VerifyAsync()).Counts.IsComplete);

        CreateOnBothSides("a", "d/b");
        S3.Objects.Clear();
        Assert.Equal(["OnlyAtSource a", "OnlyAtSource d/b"], Kinds(await VerifyAsync()));

        CreateOnBothSides("a", "d/b");
        Directory.Delete(Folder.Path, recursive: true);
        Directory.CreateDirectory(Folder.Path);
        Assert.Equal(["OnlyAtTarget a", "OnlyAtTarget d/b"], Kinds(await VerifyAsync()));
    }

    [Fact]
    public async Task Object_NotUnderThePrefix_IsADifference()
    {
        CreateOnBothSides("a");
        S3.Page = page => page.S3Objects.Add(new Amazon.S3.Model.S3Object { Key = "q/b", Size = 1 });

        DirectoryResult result = await VerifyAsync();

        Assert.Equal(["Failed q/b"], Kinds(result));
        Assert.Equal(1, result.Counts.Same);
    }

    [Fact]
    public async Task Differences_AreAllReportedInKeyOrder()
    {
        CreateOnBothSides("content", "less", "same", "tag");
        S3.Objects["p/content"] = FakeObject.Checked("CONTENT"u8.ToArray());
        S3.Objects["p/less"] = FakeObject.Checked("les"u8.ToArray());
        S3.Objects["p/tag"] = Tagged("TAG");

        DirectoryResult result = await VerifyAsync();

        Assert.Equal(["Different content", "Different less", "Different tag"], Kinds(result));
        Assert.Contains("crc64nvme", result.Failures[0].Reason, StringComparison.OrdinalIgnoreCase);
        Assert.Equal("the file has 4 bytes, and the object has 3", result.Failures[1].Reason);
        Assert.Contains("MD5", result.Failures[2].Reason, StringComparison.Ordinal);
        Assert.Equal(["content", "tag"], S3.Calls.Where(call => call.Operation == S3Call.Head).Select(call => call.Key[2..]).Order(StringComparer.Ordinal)); // a size needs no request
        Assert.EachEqual((1, 3), (result.Counts.Same, result.Counts.Different));
    }

    [Fact]
    public async Task ListedETag_IsEnoughForSinglePartObjectsOnly()
    {
        CreateOnBothSides("one", "two");
        byte[] two = "two"u8.ToArray();
        S3.Objects["p/one"] = new FakeObject("one"u8.ToArray(), Sums.Tag("one"u8.ToArray(), 3));
        S3.Objects["p/two"] = FakeObject.Checked(two) with { ETag = Sums.Tag(two, 2, 1) };

        Assert.True((await VerifyAsync()).Counts.IsComplete);
        Assert.Equal("p/two", Assert.Single(S3.Calls, call => call.Operation == S3Call.Head).Key);
    }

    /// <summary>ETags of encrypted objects look like MD5s, but are not.</summary>
    [Fact]
    public async Task ListedETag_NotAnMd5_ProvesNothing()
    {
        CreateOnBothSides("a", "b");
        foreach (string name in (string[])["a", "b"])
        {
            S3.Objects["p/" + name] = FakeObject.Checked(System.Text.Encoding.UTF8.GetBytes(name)) with { ETag = Sums.Tag("other"u8.ToArray()), Encryption = "aws:kms" };
        }

        Assert.True((await VerifyAsync()).Counts.IsComplete);
        Assert.Equal(2, S3.GetCount(S3Call.Head));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task NoEvidence_IsReadOrNotCompared(bool read)
    {
        CreateOnBothSides("a", "b");
        S3.Objects["p/a"] = new FakeObject("a"u8.ToArray(), "\"opaque\"");
        S3.Objects["p/b"] = new FakeObject("c"u8.ToArray(), "\"opaque\"");

        DirectoryResult result = await VerifyAsync(new VerifyDirectoryOptions { ReadContent = read });

        Assert.Equal(read ? ["Different b"] : ["NotCompared a", "NotCompared b"], Kinds(result));
        Assert.Equal(read ? (1, 1, 0) : (0, 0, 2), (result.Counts.Same, result.Counts.Different, result.Counts.NotCompared));
        Assert.Equal(read ? 2 : 0, S3.GetCount(S3Call.Get));
    }

    [Fact]
    public async Task ObjectsThatAreRead_AreLimitedByTheMemory()
    {
        string[] names = [.. Enumerable.Range(0, 200).Select(i => $"{i:000}")];
        CreateOnBothSides(names);
        foreach (string name in names)
        {
            S3.Objects["p/" + name] = new FakeObject(System.Text.Encoding.UTF8.GetBytes(name), "\"opaque\"");
        }

        TransferClient client = NewClient(options => (options.MemoryBytes, options.MaxConcurrency, options.Advanced.ChunkSizeBytes) = (1024 * 1024, 256, 64 * 1024));
        DirectoryResult result = await VerifyAsync(client: client);

        Assert.True(result.Counts.IsComplete, Show(result));
    }

    [Fact]
    public async Task Keys_CannotBeFiles_AreMissingHereWithTheReason()
    {
        S3.Objects["p/../x"] = Tagged("x");
        S3.Objects["p/a//b"] = Tagged("x");
        S3.Objects["p/C:x"] = Tagged("x");

        DirectoryResult result = await VerifyAsync();

        Assert.Equal(["OnlyAtTarget ../x", "OnlyAtTarget C:x", "OnlyAtTarget a//b"], Kinds(result));
        Assert.All(result.Failures, one => Assert.True(one.Source is null && one.Reason!.StartsWith("the key can't be a file: ", StringComparison.Ordinal), one.Reason));
    }

    [Fact]
    public async Task FolderMarkers_AreComparedWithFolders()
    {
        CreateOnBothSides("d/a", "f");
        Directory.CreateDirectory(Folder.File("empty"));
        Directory.CreateDirectory(Folder.File("alone"));
        Directory.CreateDirectory(Folder.File("o"));
        Directory.CreateDirectory(Folder.File("full"));
        foreach (string name in (string[])["", "d/", "empty/", "f/", "none/", "o"])
        {
            S3.Objects["p/" + name] = Tagged(string.Empty);
        }

        S3.Objects["p/full/"] = Tagged("bytes");
        DirectoryResult result = await VerifyAsync();

        Assert.Equal(["OnlyAtTarget f/", "OnlyAtTarget full/", "OnlyAtTarget none/", "OnlyAtTarget o"], Kinds(result));
        Assert.Equal(
            ["it represents a folder, but there is a file", "its name ends in '/' like that of a folder, but it has 5 bytes", "there is no such directory", "there is a directory instead of a file"],
            result.Failures.Select(one => one.Reason));
        Assert.Equal(4, result.Counts.Same); // d/, d/a, empty/, and f
    }

    [Fact]
    public async Task Filters_ApplyToBothSides()
    {
        CreateOnBothSides("a.txt", "a.log", ".h", "x/b.txt", "x/.i/b.txt");
        File.Delete(Folder.File("a.log"));
        S3.Objects.TryRemove("p/.h", out _);
        S3.Objects.TryRemove("p/x/.i/b.txt", out _);

        Assert.Equal(["OnlyAtSource .h", "OnlyAtTarget a.log", "OnlyAtSource x/.i/b.txt"], Kinds(await VerifyAsync()));
        Assert.Equal(["OnlyAtSource x/.i/b.txt"], Kinds(await VerifyAsync(new VerifyDirectoryOptions { Include = ["*.txt"] })));
        Assert.Equal(["OnlyAtSource .h"], Kinds(await VerifyAsync(new VerifyDirectoryOptions { Exclude = ["*.log", "x/"] })));
        DirectoryResult visible = await VerifyAsync(new VerifyDirectoryOptions { IncludeHidden = false });
        Assert.Equal(["OnlyAtTarget a.log"], Kinds(visible));
        Assert.Equal(2, visible.Counts.Same);
    }

    /// <summary>The content of an unreadable folder is unknown, so nothing below it counts as missing.</summary>
    [Fact]
    public async Task FolderIsUnreadable_IsAFailureAndNothingBelowItIsMissing()
    {
        CreateOnBothSides("d/a", "d/z", "e");
        Directory.CreateSymbolicLink(Folder.File("d/up"), "..");
        S3.Objects["p/d/up/a"] = S3.Objects["p/d/up/b/c"] = S3.Objects["p/d/up-b"] = S3.Objects["p/d/up0"] = Tagged("x");
        File.CreateSymbolicLink(Folder.File("nowhere"), "nowhere");
        S3.Objects["p/nowhere"] = S3.Objects["p/nowhere/x"] = S3.Objects["p/nowhere!"] = Tagged("x");

        DirectoryResult result = await VerifyAsync();

        Assert.Equal(["OnlyAtTarget d/up-b", "Failed d/up/", "NotCompared d/up/a", "NotCompared d/up/b/c", "OnlyAtTarget d/up0", "Failed nowhere", "OnlyAtTarget nowhere!", "NotCompared nowhere/x"], Kinds(result));
        Assert.EachEqual((3, 2, 3, 3), (result.Counts.Same, result.Counts.Failed, result.Counts.NotCompared, result.Counts.OnlyAtTarget));
        Assert.Equal(
            ["OnlyAtTarget d/up-b", "OnlyAtTarget d/up0"], Kinds(await VerifyAsync(new VerifyDirectoryOptions { Exclude = ["d/up/", "nowhere*", "nowhere/"] })));
        Assert.Equal(["Failed d/up/"], Kinds(await VerifyAsync(new VerifyDirectoryOptions { Include = ["z"] })));
        Assert.Equal(
            ["OnlyAtTarget d/up-b", "OnlyAtTarget d/up0", "OnlyAtTarget nowhere!"], Kinds(await VerifyAsync(new VerifyDirectoryOptions { SymbolicLinks = SymbolicLinks.Skip })));
    }

    [Fact]
    public async Task FailuresAndDeletedFiles_DelayNothing()
    {
        CreateOnBothSides("denied", "fine", "gone");
        foreach (string name in (string[])["denied", "gone"])
        {
            S3.Objects["p/" + name] = new FakeObject(System.Text.Encoding.UTF8.GetBytes(name), "\"opaque\"");
        }

        S3.Before = (call, _) => call.Operation != S3Call.Head ? Task.CompletedTask
            : throw (call.Key == "p/gone" ? FakeS3.Error(HttpStatusCode.NotFound, "NotFound") : FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied"));

        DirectoryResult result = await VerifyAsync();

        Assert.Equal(["Failed denied", "OnlyAtSource gone"], Kinds(result));
        Assert.Equal("AccessDenied", Assert.IsType<TransferException>(result.Failures[0].Error).ErrorCode);
        Assert.EachEqual((1, 1, 1), (result.Counts.Same, result.Counts.Failed, result.Counts.OnlyAtSource));
    }

    [Theory]
    [InlineData(TransferDefaults.MaxKeptFailures)]
    [InlineData(TransferDefaults.MaxKeptFailures + 500)]
    public async Task Differences_ManyOfThem_AreCountedAndReportedAndTheFirstAreKept(int count)
    {
        CreateOnBothSides("same");
        for (int i = 0; i < count; i++)
        {
            S3.Put($"p/o{i:d4}", 1);
        }

        ConcurrentBag<string> told = [];

        DirectoryResult result = await VerifyAsync(new VerifyDirectoryOptions { ObjectEnded = difference => told.Add(difference.Name) });

        Assert.False(result.Counts.IsComplete);
        Assert.EachEqual((1, count, TransferDefaults.MaxKeptFailures), (result.Counts.Same, result.Counts.OnlyAtTarget, result.Failures.Count));
        Assert.Equal(count, told.Distinct().Count());
        Assert.Equal(result.Failures.OrderBy(one => one.Name, StringComparer.Ordinal), result.Failures);
    }

    [UnixFact]
    public async Task ObjectsBelowUnreadableFolders_AreNotMissing()
    {
        const int count = 1_200;
        string[] names = [.. Enumerable.Range(0, count).Select(i => $"l{i:d4}")];
        foreach (string name in names)
        {
            File.CreateSymbolicLink(Folder.File(name), name);
            S3.Put($"p/{name}!", 1);
            S3.Put($"p/{name}/x/y", 1);
        }

        DirectoryResult result = await VerifyAsync();

        Assert.EachEqual((count, count, count), (result.Counts.Failed, result.Counts.NotCompared, result.Counts.OnlyAtTarget));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Prefixes_AreCompared(bool hasTwoClients)
    {
        foreach (string key in (string[])["p/same", "q/same", "p/only", "q/other", "p/f/", "q/f/"])
        {
            S3.Put(key, 3);
        }

        S3.Put("p/longer", 4);
        S3.Put("q/longer", 5);
        List<Outcome> told = [];
        VerifyDirectoryOptions options = new() { ObjectEnded = told.Add };
        (Place one, Place other) = (Place.InBucket(FakeS3.Bucket, "p"), Place.InBucket(FakeS3.Bucket, "q"));
        TransferClient client = NewClient();

        DirectoryResult result = await (hasTwoClients ? client.VerifyTreeAsync(one, NewClient(), other, options) : client.VerifyTreeAsync(one, other, options)).Within();

        Assert.Equal(new Counts { Same = 2, Different = 1, OnlyAtSource = 1, OnlyAtTarget = 1, Bytes = result.Counts.Bytes }, result.Counts);
        Assert.Equal(
            [("longer", OutcomeStatus.Different), ("only", OutcomeStatus.OnlyAtSource), ("other", OutcomeStatus.OnlyAtTarget)],
            told.Select(one => (one.Name, one.Status)).Order());
    }

    /// <summary>As for a folder, a request is sent only if the listings don't tell.</summary>
    [Fact]
    public async Task Prefixes_WhoseListingsTell_TakeNoRequests()
    {
        (S3.Objects["p/same"], S3.Objects["q/same"]) = (Tagged("same"), Tagged("same"));
        (S3.Objects["p/longer"], S3.Objects["q/longer"]) = (Tagged("a"), Tagged("ab"));
        (S3.Objects["p/empty"], S3.Objects["q/empty"]) = (Tagged(""), Tagged(""));

        DirectoryResult result = await NewClient().VerifyTreeAsync(Place.InBucket(FakeS3.Bucket, "p"), Place.InBucket(FakeS3.Bucket, "q")).Within();

        Assert.EachEqual((2, 1), (result.Counts.Same, result.Counts.Different));
        Assert.All(S3.Calls, call => Assert.Equal(S3Call.List, call.Operation));
    }

    [Fact]
    public async Task ListOfKeys_OfTwoPrefixes_SaysWhichSideLacksAnObject()
    {
        foreach (string key in (string[])["p/same", "q/same", "p/only", "q/other"])
        {
            S3.Put(key, 3);
        }

        VerifyDirectoryOptions options = new() { Keys = "p/same p/only p/other".Split(' ').ToAsyncEnumerable() };

        DirectoryResult result = await NewClient().VerifyTreeAsync(Place.InBucket(FakeS3.Bucket, "p"), NewClient(), Place.InBucket(FakeS3.Bucket, "q"), options).Within();

        Assert.EachEqual((1, 1, 1), (result.Counts.Same, result.Counts.OnlyAtSource, result.Counts.OnlyAtTarget));
    }

    [Fact]
    public async Task PrefixWithFolder_SaysWhichSideLacksAFile()
    {
        CreateOnBothSides("a", "b", "c");
        File.Delete(Folder.File("a"));
        S3.Objects.Remove("p/b", out _);

        DirectoryResult result = await NewClient().VerifyTreeAsync(Place.InBucket(FakeS3.Bucket, "p"), Place.InDirectory(Folder.Path)).Within();

        Assert.EachEqual((1, 1, 1), (result.Counts.Same, result.Counts.OnlyAtSource, result.Counts.OnlyAtTarget));
        Assert.Equal([("a", OutcomeStatus.OnlyAtSource), ("b", OutcomeStatus.OnlyAtTarget)], result.Failures.Select(one => (one.Name, one.Status)));
    }

    [Fact]
    public async Task Difference_IsReportedImmediatelyEvenIfTheListenerThrows()
    {
        CreateOnBothSides("a", "b", "c");
        File.Delete(Folder.File("a"));
        S3.Objects["p/b"] = new FakeObject("b"u8.ToArray(), "\"opaque\"");
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == S3Call.Head ? gate.PassAsync(token) : Task.CompletedTask;
        TaskCompletionSource<Outcome> told = new(TaskCreationOptions.RunContinuationsAsynchronously);

        Task<DirectoryResult> verifying = VerifyAsync(new VerifyDirectoryOptions
        {
            ObjectEnded = difference =>
            {
                told.TrySetResult(difference);
                throw new InvalidOperationException("a listener");
            },
        });

        Assert.Equal("a", (await told.Task.Within()).Name);
        Assert.False(verifying.IsCompleted);
        gate.Open();
        Assert.EachEqual((2, 1), ((await verifying.Within()).Counts.Same, (await verifying).Counts.OnlyAtTarget));
    }

    [LinuxFact]
    public async Task SpecialFile_IsAFailureAndNotMissing()
    {
        CreateOnBothSides("a");
        foreach (string name in (string[])["both", "pipe"])
        {
            using System.Diagnostics.Process mkfifo = System.Diagnostics.Process.Start("mkfifo", [Folder.File(name)]);
            await mkfifo.WaitForExitAsync();
        }

        S3.Objects["p/both"] = Tagged(string.Empty);

        DirectoryResult result = await VerifyAsync();

        Assert.Equal(["Failed both", "Failed pipe"], Kinds(result));
        Assert.All(result.Failures, one => Assert.Contains("is a device or a pipe", one.Reason, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(S3Call.List)]
    [InlineData(S3Call.Head)]
    public async Task Canceled_ThrowsWithTheCallersToken(string operation)
    {
        CreateOnBothSides("a", "b");
        S3.Objects["p/a"] = new FakeObject("a"u8.ToArray(), "\"opaque\"");
        using CancellationTokenSource source = new();
        S3.Before = async (call, token) =>
        {
            if (call.Operation == operation)
            {
                await source.CancelAsync();
                token.ThrowIfCancellationRequested();
            }
        };

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => NewClient().VerifyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "p"), null, null, source.Token).Within());

        Assert.Equal(source.Token, e.CancellationToken);
    }

    [Fact]
    public async Task ListingInAnotherOrder_IsAnErrorAndNotADifference()
    {
        CreateOnBothSides("a", "b", "c");
        S3.Page = page => page.S3Objects.Reverse();

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => VerifyAsync());

        Assert.Contains("does not list keys in the order of their UTF-8 bytes", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task DirectoryBucket_UnorderedListing_IsCompared()
    {
        CreateOnBothSides("a", "b", "c", "d/e");
        File.Delete(Folder.File("b"));
        S3.Objects.TryRemove("p/c", out _);
        S3.Objects["p/a"] = FakeObject.Checked("a"u8.ToArray());
        S3.Objects["p/d/e"] = FakeObject.Checked("d/e"u8.ToArray());
        S3.Page = page => page.S3Objects.Reverse();

        DirectoryResult result = await VerifyAsync(bucket: "b--use1-az4--x-s3");

        Assert.Equal(["OnlyAtTarget b", "OnlyAtSource c"], Kinds(result));
        Assert.Equal(2, result.Counts.Same);
    }

    [Fact]
    public async Task Listing_Fails_Throws()
    {
        CreateOnBothSides("a", "b", "c");
        S3.PageSize = 1;
        S3.Before = (call, _) => call is { Operation: S3Call.List, Request: ListObjectsV2Request { ContinuationToken: "p/b" } }
            ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        Assert.Equal("AccessDenied", (await Assert.ThrowsAsync<TransferException>(() => VerifyAsync())).ErrorCode);
    }

    [Fact]
    public async Task Folder_Missing_ThrowsWithoutARequest()
    {
        TransferException e = await Assert.ThrowsAsync<TransferException>(
            () => NewClient().VerifyTreeAsync(Place.InDirectory(Folder.File("nothing")), Place.InBucket(FakeS3.Bucket, "p")).Within());

        Assert.Contains("is not a directory", e.Message, StringComparison.Ordinal);
        Assert.Empty(S3.Calls);
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => VerifyAsync(new VerifyDirectoryOptions { MaxConcurrentObjects = 0 }));
    }

    [Fact]
    public async Task Progress_EndsWithTheTotals()
    {
        CreateOnBothSides("a", "b", "d/c", "d/less");
        S3.Objects["p/b"] = new FakeObject("b"u8.ToArray(), "\"opaque\"");
        S3.Objects["p/d/less"] = Tagged("x");
        TransferProgress last = default;

        await NewClient().VerifyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(FakeS3.Bucket, "p/"), null, new Last(value => last = value)).Within();

        Assert.EachEqual((11L, 11L, 4L, 4L), (last.BytesTransferred, last.TotalBytes, last.ObjectsCompleted, last.TotalObjects));
    }

    private static FakeObject Tagged(string text)
    {
        byte[] content = System.Text.Encoding.UTF8.GetBytes(text);
        return new FakeObject(content, Sums.Tag(content));
    }

    private static IEnumerable<string> Kinds(DirectoryResult result) => result.Failures.Select(one => $"{one.Status} {one.Name}");

    private static string Show(DirectoryResult result) => string.Join(Environment.NewLine, result.Failures);

    private Task<DirectoryResult> VerifyAsync(VerifyDirectoryOptions? options = null, TransferClient? client = null, string bucket = FakeS3.Bucket)
        => (client ?? NewClient()).VerifyTreeAsync(Place.InDirectory(Folder.Path), Place.InBucket(bucket, "p"), options).Within();

    /// <summary>Creates files and objects whose content is as long as their name, with MD5s as ETags.</summary>
    private void CreateOnBothSides(params string[] names)
    {
        foreach (string name in names)
        {
            string text = new([.. name.Select(c => c < 128 ? c : '?')]);
            string path = Folder.File(name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, text);
            S3.Objects["p/" + name] = Tagged(text);
        }

        S3.Objects["p-other/" + names[0]] = S3.Objects["o"] = S3.Objects["q"] = Tagged("unrelated");
    }

    private sealed class Last(Action<TransferProgress> report) : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value) => report(value);
    }
}
