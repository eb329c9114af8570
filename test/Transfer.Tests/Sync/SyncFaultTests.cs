using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Sync;

/// <summary>Errors, other writers, and interruptions at every request: nothing is deleted or replaced that isn't known, and the next run ends as it should.</summary>
public sealed class SyncFaultTests : TransferTest
{
    private static readonly Dictionary<string, string> Source = new() { ["a"] = "new", ["b"] = "same", ["c/d"] = "other size", ["c/e"] = "1234", ["f"] = "" };
    private static readonly Dictionary<string, string> Target = new() { ["b"] = "same", ["c/d"] = "x", ["c/e"] = "4321", ["g"] = "gone 1", ["h/i"] = "gone 2", ["z"] = "gone 3" };

    public static TheoryData<SyncDirection> Directions => [SyncDirection.Upload, SyncDirection.Download, SyncDirection.Inside, SyncDirection.Between];

    /// <summary>Returns whether a request looks at a target, or at its source, immediately before the target is deleted. If it fails, others are still deleted.</summary>
    private static bool IsSecondLook(S3Call call) => call.Request is Amazon.S3.Model.ListObjectsV2Request { StartAfter: not null }
        || (call.Operation == S3Call.Head && Target.Keys.Except(Source.Keys).Any(name => call.Key.EndsWith(name, StringComparison.Ordinal)));

    private static SyncOptions Deleting => new() { Delete = true, OnFailure = FailurePolicy.Continue, MaxConcurrentObjects = 1 };

    /// <summary>s5cmd #695, mc #2373, mc #4047, aws-cli #1564: the listing of the source fails, and everything at the target is deleted.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task ListingFailsOnAnyPage_NothingIsDeleted(SyncDirection direction)
    {
        foreach (bool despite in new[] { false, true })
        {
            int failed = 0;
            for (int page = 1; page <= 20; page++)
            {
                using SyncPair pair = NewPair(direction);
                int lists = 0;
                bool isReached = false;
                pair.Intervene(call =>
                {
                    if (call.Operation == S3Call.List && !IsSecondLook(call) && Interlocked.Increment(ref lists) == page)
                    {
                        isReached = true;
                        throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
                    }
                });

                if (await Record.ExceptionAsync(() => pair.RunAsync(Deleting with { DeleteDespiteFailures = despite })) is { } error)
                {
                    Assert.IsAssignableFrom<TransferException>(error);
                    failed++;
                }

                Assert.True(!isReached || pair.Deletions == 0, $"{direction} page {page}");
                Assert.True(!isReached || Target.Keys.All(pair.GetTarget().ContainsKey), $"{direction} page {page}: {SyncTree.Show(pair.GetTarget())}");
            }

            Assert.True(failed >= 3, "the listings have several pages");
        }
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task ListingIsCutOff_NothingIsDeleted(SyncDirection direction)
    {
        for (int page = 1; page <= 12; page++)
        {
            using SyncPair pair = NewPair(direction);
            int lists = 0;
            Action<Amazon.S3.Model.ListObjectsV2Response> cut = response =>
            {
                if (response.StartAfter is null && Interlocked.Increment(ref lists) == page) // otherwise, it is a second look
                {
                    response.IsTruncated = true; // and no token to go on with
                    response.NextContinuationToken = null;
                }
            };
            pair.Store.Page = cut;
            pair.Target.Page = cut;

            Exception? error = await Record.ExceptionAsync(() => pair.RunAsync(Deleting));

            Assert.True(lists < page || error is TransferException, $"{direction} page {page}: {error}");
            Assert.True(error is null || (pair.Deletions == 0 && Target.Keys.All(pair.GetTarget().ContainsKey)), $"{direction} page {page}");
        }
    }

    /// <summary>Any other request fails for good: nothing is deleted, the others are copied, and the next run completes.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task AnyRequestFails_NothingIsDeleted_AndTheNextRunCompletes(SyncDirection direction)
    {
        for (int number = 1; number <= 60; number++)
        {
            using SyncPair pair = NewPair(direction);
            S3Call? refused = null;
            int calls = 0;
            pair.Intervene(call =>
            {
                if (Interlocked.Increment(ref calls) == number)
                {
                    refused = call;
                    throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
                }
            });

            DirectoryResult? result = null;
            Exception? error = await Record.ExceptionAsync(async () => result = await pair.RunAsync(Deleting));
            if (refused is null)
            {
                Assert.True(number > 5, "there are more requests");
                break;
            }

            bool isHarmless = error is null && result!.Counts.IsComplete; // for example, a checksum that is optional
            bool isOfDeletion = refused.Operation is S3Call.Delete or S3Call.DeleteBatch || IsSecondLook(refused);
            Assert.True(isHarmless || isOfDeletion || Target.Keys.All(pair.GetTarget().ContainsKey), $"{direction} {refused.Operation} {number}: {error} {SyncTree.Show(pair.GetTarget())}");
            Assert.True(isHarmless || isOfDeletion || pair.Deletions == 0, $"{direction} {refused.Operation} {number}");

            pair.Intervene(_ => { });
            Assert.True((await pair.RunAsync(Deleting)).Counts.IsComplete);
            Assert.Equal(SyncTree.Show(Source), SyncTree.Show(pair.GetTarget()));
        }
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task CanceledAtAnyRequest_GoesOnInTheNextRun(SyncDirection direction)
    {
        for (int number = 1; number <= 60; number++)
        {
            using SyncPair pair = NewPair(direction);
            using CancellationTokenSource stop = new();
            S3Call? last = null;
            int calls = 0;
            pair.Intervene(call =>
            {
                if (Interlocked.Increment(ref calls) == number)
                {
                    last = call;
                    stop.Cancel();
                    stop.Token.ThrowIfCancellationRequested();
                }
            });

            Exception? error = await Record.ExceptionAsync(() => pair.RunAsync(Deleting, stop.Token));
            if (last is null)
            {
                break;
            }

            Assert.True(error is OperationCanceledException, $"{direction} {last.Operation} {number}: {error}");
            Assert.True(last.Operation is S3Call.Delete or S3Call.DeleteBatch || Target.Keys.All(pair.GetTarget().ContainsKey), $"{direction} {number}");
            pair.Intervene(_ => { });
            Assert.True((await pair.RunAsync(Deleting)).Counts.IsComplete);
            Assert.Equal(SyncTree.Show(Source), SyncTree.Show(pair.GetTarget()));
        }
    }

    /// <summary>Another writer replaces every target between two requests, after the target was listed. What it wrote must be there at the end.</summary>
    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Inside)]
    [InlineData(SyncDirection.Between)]
    public async Task SecondWriterBetweenAnyRequests_NothingOfItIsLost(SyncDirection direction)
    {
        string[] written = ["a", "c/d", "c/e", "f", "g", "h/i", "z"];
        int interventions = 0;
        for (int number = 1; number <= 80; number++)
        {
            using SyncPair pair = NewPair(direction, pageSize: 1000);
            int calls = 0;
            bool isDone = false;
            int listings = direction == SyncDirection.Upload ? 1 : 2;
            pair.Intervene(call =>
            {
                if (call.Operation == S3Call.List)
                {
                    Interlocked.Decrement(ref listings);
                }
                else if (Interlocked.Increment(ref calls) == number)
                {
                    Assert.Equal(0, listings);
                    isDone = true;
                    foreach (string name in written)
                    {
                        pair.Target.Put(SyncPair.TargetPrefix + name, SyncTree.Bytes("second writer " + name));
                    }
                }
            });

            DirectoryResult result = await pair.RunAsync(Deleting);
            if (!isDone)
            {
                break;
            }

            interventions++;
            Dictionary<string, string> end = pair.GetTarget();
            Assert.True(written.All(name => end.TryGetValue(name, out string? content) && content == "second writer " + name), $"{direction} {number}: {SyncTree.Show(end)}\n{result}");
            Assert.True(pair.Deletions > 0 || !result.Counts.IsComplete, $"{direction} {number}: {result}");
        }

        Assert.True(interventions > 5);
    }

    /// <summary>The target is a folder, so another process changes it while a request is answered.</summary>
    [Fact]
    public async Task SecondWriterInTheTargetFolder_NothingOfItIsLost()
    {
        string[] written = ["a", "c/d", "c/e", "f", "g", "h/i", "z"];
        int interventions = 0;
        for (int number = 1; number <= 40; number++)
        {
            using SyncPair pair = NewPair(SyncDirection.Download, pageSize: 1000);
            int calls = 0;
            bool isDone = false;
            pair.Intervene(call =>
            {
                if (call.Operation != S3Call.List && Interlocked.Increment(ref calls) == number)
                {
                    isDone = true;
                    foreach (string name in written)
                    {
                        SyncTree.Write(pair.Folder, name, "second writer " + name);
                    }
                }
            });

            DirectoryResult result = await pair.RunAsync(Deleting);
            if (!isDone)
            {
                break;
            }

            interventions++;
            Dictionary<string, string> end = pair.GetTarget();
            Assert.True(written.All(name => end.TryGetValue(name, out string? content) && content == "second writer " + name), $"{number}: {SyncTree.Show(end)}\n{result}");
            Assert.False(result.Counts.IsComplete);
        }

        Assert.True(interventions > 3);
    }

    /// <summary>Candidates for deletion are changed, or their folder becomes a link, after the folder was listed.</summary>
    [UnixFact]
    public async Task CandidateInTheTargetFolderIsChanged_IsNotDeleted()
    {
        using TemporaryFolder outside = new();
        SyncTree.Write(outside, "i", "gone 2");
        using SyncPair pair = NewPair(SyncDirection.Download, pageSize: 1000);
        DateTime time = File.GetLastWriteTimeUtc(pair.Folder.File("h/i"));
        File.SetLastWriteTimeUtc(outside.File("i"), time);
        bool isDone = false;
        SyncOptions options = Deleting with
        {
            ObjectEnded = outcome =>
            {
                if (!isDone)
                {
                    isDone = true;
                    SyncTree.Write(pair.Folder, "g", "second writer");
                    File.Delete(pair.Folder.File("h/i"));
                    Directory.Delete(pair.Folder.File("h"));
                    Directory.CreateSymbolicLink(pair.Folder.File("h"), outside.Path);
                }
            },
        };

        DirectoryResult result = await pair.RunAsync(options);

        Assert.EachEqual((1, 1, 1), (result.Counts.Deleted, result.Counts.Conflicts, result.Counts.Failed));
        Assert.Equal("second writer", File.ReadAllText(pair.Folder.File("g")));
        Assert.Equal("gone 2", File.ReadAllText(outside.File("i")));
        Assert.False(File.Exists(pair.Folder.File("z")));
    }

    /// <summary>Another process changes what is to be replaced and what is to be deleted, and neither the sizes nor the last-write times show it.</summary>
    [LinuxTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task TargetFilesAreChangedWithTheirSizesAndTimes_AreKept(bool isRewritten)
    {
        using SyncPair pair = NewPair(SyncDirection.Download, pageSize: 1000);
        bool isDone = false;
        void Change()
        {
            if (!isDone)
            {
                isDone = true;
                foreach (string name in (string[])["c/e", "g"])
                {
                    string path = pair.Folder.File(name);
                    byte[] content = new byte[new FileInfo(path).Length];
                    if (isRewritten)
                    {
                        FileChange.Rewrite(path, content);
                    }
                    else
                    {
                        FileChange.Replace(path, content);
                    }
                }
            }
        }

        pair.Intervene(call =>
        {
            if (call is { Operation: S3Call.Get, Key: SyncPair.SourcePrefix + "c/e" })
            {
                Change();
            }
        });

        DirectoryResult result = await pair.RunAsync(Deleting with { DeleteDespiteFailures = true });

        Assert.True(isDone);
        Assert.EachEqual((2, 2), (result.Counts.Conflicts, result.Counts.Deleted));
        Assert.All((string[])["c/e", "g"], name => Assert.All(File.ReadAllBytes(pair.Folder.File(name)), one => Assert.Equal(0, one)));
    }

    /// <summary>Each deletion and replacement of one name changes the time of the last change of the other ones.</summary>
    [LinuxTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task TargetFilesAreOneFileWithSeveralNames_AllAreReplacedAndDeleted(bool hasBackup)
    {
        using SyncPair pair = NewPair(SyncDirection.Download, pageSize: 1000);
        foreach (string name in (string[])["l1", "l2", "m1", "m2"])
        {
            FileChange.Link(pair.Folder.File("g"), pair.Folder.File(name));
        }

        pair.Store.Put(SyncPair.SourcePrefix + "m1", SyncTree.Bytes("new 1"));
        pair.Store.Put(SyncPair.SourcePrefix + "m2", SyncTree.Bytes("new 2"));

        DirectoryResult result = await pair.RunAsync(hasBackup ? Deleting with { Backup = pair.Backup } : Deleting);

        Assert.EachEqual((5, 0, true), (result.Counts.Deleted, result.Counts.Conflicts, result.Counts.IsComplete));
        Assert.EachEqual(("new 1", "new 2"), (pair.GetTarget()["m1"], pair.GetTarget()["m2"]));
    }

    /// <summary>The source is replaced between the listing and its copy: the new state isn't copied under the evidence of the old one.</summary>
    [Theory]
    [InlineData(SyncDirection.Download)]
    [InlineData(SyncDirection.Inside)]
    [InlineData(SyncDirection.Between)]
    public async Task SourceIsReplacedAfterTheListing_IsAConflict(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction, pageSize: 1000);
        int calls = 0;
        pair.Intervene(call =>
        {
            if (call.Operation != S3Call.List && Interlocked.Increment(ref calls) == 1)
            {
                pair.Store.Put(SyncPair.SourcePrefix + "c/d", SyncTree.Bytes("changed by another writer"));
            }
        });

        DirectoryResult result = await pair.RunAsync(Deleting);

        Assert.EachEqual((1, 0), (result.Counts.Conflicts, result.Counts.Failed));
        Assert.Equal("x", pair.GetTarget()["c/d"]);
        Assert.Equal(0, pair.Deletions);
        Assert.Equal(3, result.Counts.Withheld);
        Assert.True((await pair.RunAsync(Deleting)).Counts.IsComplete);
        Assert.Equal("changed by another writer", pair.GetTarget()["c/d"]);
    }

    [Fact]
    public async Task SourceFileIsWrittenDuringTheUpload_Fails()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload, pageSize: 1000);
        string path = pair.Folder.File("a");
        Time.SkipDelaysBelow = TimeSpan.FromSeconds(10);
        pair.Target.ReceiveAsync = null;
        TransferClient client = NewClient(pair.Target.Client);
        long length = 12 * 1024 * 1024;
        File.WriteAllBytes(path, Sample.Bytes(length));
        int parts = 0;
        pair.Target.Before = (call, _) =>
        {
            if (call.Operation == S3Call.UploadPart && Interlocked.Increment(ref parts) == 1)
            {
                File.AppendAllText(path, "more");
            }

            return Task.CompletedTask;
        };

        DirectoryResult result = await client.SyncAsync(Place.InDirectory(pair.Folder.Path), Place.InBucket(FakeS3.Bucket, SyncPair.TargetPrefix), Deleting).Within();

        Assert.EachEqual((1, 0, 3), (result.Counts.Failed, result.Counts.Conflicts, result.Counts.Withheld));
        Assert.False(pair.GetTarget().ContainsKey("a"));
        Assert.Equal(0, pair.Deletions);
    }

    /// <summary>The store carries out each write, and its response is lost.</summary>
    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Between)]
    public async Task ResponsesOfWritesAreLost_NothingIsAConflict(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction);
        HashSet<string> lost = [];
        pair.Intervene(call =>
        {
            if (call is { Operation: S3Call.Put, Request: Amazon.S3.Model.PutObjectRequest } && lost.Add(call.Key))
            {
                pair.Target.Put(call.Key, SyncTree.Bytes(Source[call.Key[SyncPair.TargetPrefix.Length..]]));
                throw FakeS3.Busy();
            }
        });

        DirectoryResult result = await pair.RunAsync(Deleting);

        Assert.True(result.Counts.IsComplete, string.Join("\n", result.Failures));
        Assert.Equal(SyncTree.Show(Source), SyncTree.Show(pair.GetTarget()));
        pair.Intervene(_ => { });
        Assert.Equal(Source.Count, (await pair.RunAsync(Deleting)).Counts.Same);
    }

    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Inside)]
    [InlineData(SyncDirection.Between)]
    public async Task ResponsesOfDeletionsAreLost_NothingIsAConflict(SyncDirection direction)
    {
        using SyncPair pair = NewPair(direction);
        int lost = 0;
        pair.Target.AfterDeletion = _ =>
        {
            if (Interlocked.Increment(ref lost) == 1)
            {
                throw FakeS3.Busy();
            }
        };

        DirectoryResult result = await pair.RunAsync(Deleting);

        Assert.True(result.Counts.IsComplete, string.Join("\n", result.Failures));
        Assert.Equal(3, result.Counts.Deleted);
        Assert.Equal(SyncTree.Show(Source), SyncTree.Show(pair.GetTarget()));
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task TwoSyncsAtOnce_EndInTheSameState(SyncDirection direction)
    {
        for (int i = 0; i < 10; i++)
        {
            using SyncPair pair = NewPair(direction);

            Task<DirectoryResult> one = pair.RunAsync(Deleting);
            Task<DirectoryResult> other = pair.RunAsync(Deleting);
            await Task.WhenAll(one, other);

            Dictionary<string, string> end = pair.GetTarget();
            Assert.True(Source.All(item => end[item.Key] == item.Value), $"{direction} {SyncTree.Show(end)}");
            Assert.True((await pair.RunAsync(Deleting)).Counts.IsComplete);
            Assert.Equal(SyncTree.Show(Source), SyncTree.Show(pair.GetTarget()));
        }
    }

    /// <summary>A proxy rejects every write with 412, although nothing has changed.</summary>
    [Fact]
    public async Task Status412ForOtherReasons_WritesAndDeletesNothing()
    {
        using SyncPair pair = NewPair(SyncDirection.Upload);
        pair.Intervene(call =>
        {
            if (call.Operation is S3Call.Put)
            {
                throw FakeS3.Error(HttpStatusCode.PreconditionFailed, "SomethingElse");
            }
        });

        DirectoryResult result = await pair.RunAsync(Deleting);

        Assert.EachEqual((0, 0, 4), (result.Counts.Copied, result.Counts.Replaced, result.Counts.Conflicts + result.Counts.Failed));
        Assert.Equal(SyncTree.Show(Target), SyncTree.Show(pair.GetTarget()));
    }

    private SyncPair NewPair(SyncDirection direction, int pageSize = 2)
    {
        SyncPair pair = new(direction, new FakeS3 { PageSize = pageSize }, s3 => NewClient(s3.Client, options => options.MaxAttempts = 3));
        pair.Target.PageSize = pageSize;
        pair.SetSource(Source);
        pair.SetTarget(Target);
        return pair;
    }
}
