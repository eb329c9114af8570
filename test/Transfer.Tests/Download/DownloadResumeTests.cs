using System.Net;
using Microsoft.Win32.SafeHandles;
using Transfer.S3.Download;
using Transfer.S3.Files;
using Transfer.S3.Integrity;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Verification;

namespace Transfer.S3.Tests.Download;

/// <summary>An interrupted download to a file, and the download that resumes it.</summary>
public sealed class DownloadResumeTests : TransferTest
{
    private const int Part = 64 * 1024;
    private const int Size = (8 * Part) + (Part / 2);
    private const int Arrived = 5 * Part;

    private readonly byte[] _content;

    public DownloadResumeTests() => _content = S3.Put(Size);

    private string Target => Folder.File("target");

    public static TheoryData<bool, bool> HintAndRange => Matrix.Of([false, true], [false, true]);

    [Theory]
    [MemberData(nameof(HintAndRange))]
    public async Task Interrupted_NextDownloadFetchesOnlyMissingParts(bool withHint, bool isRange)
    {
        int origin = isRange ? 7 : 0;
        DownloadOptions options = new()
        {
            Hint = withHint ? new ObjectHint { Length = Size, ETag = S3.Objects[FakeS3.Key].ETag } : null,
            Range = isRange ? ObjectRange.From(origin, Size - 100) : null,
        };
        byte[] wanted = isRange ? _content[origin..(origin + Size - 100)] : _content;

        TransferProgress last = await InterruptAsync(Arrived + origin, options);
        Assert.Equal(Arrived, last.BytesKept);
        Assert.Equal(2, Folder.Files.Count);
        Assert.False(File.Exists(Target));
        DownloadResult result = await AgainAsync(options);

        Assert.Equal(wanted, await File.ReadAllBytesAsync(Target));
        Assert.Equal(["target"], Folder.Files);
        Assert.EachEqual((wanted.Length, Arrived, !isRange), (result.Statistics.BytesTransferred, result.Statistics.BytesResumed, result.Verdict.IsVerified));

        // Request one byte to check that the object is the same, and then only missing parts.
        Assert.EachEqual((0, 0), (S3.Gets.First().First, S3.Gets.First().Last));
        Assert.All(S3.Gets.Skip(1), get => Assert.True(get.First >= Arrived + origin));
        Assert.All(S3.Gets.Skip(1), get => Assert.Equal(S3.Objects[FakeS3.Key].ETag, get.IfMatch));
    }

    [Fact]
    public async Task Interrupted_Repeatedly_NoPartIsFetchedTwice()
    {
        for (int part = 1; part < 8; part++)
        {
            Assert.Equal(part * Part, (await InterruptAsync(part * Part)).BytesKept);
            Assert.Equal(part == 1 ? 0 : 1, S3.Gets.Count(get => get.Last == 0));
        }

        Assert.Equal(7 * Part, (await AgainAsync()).Statistics.BytesResumed);
        Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
    }

    [Fact]
    public async Task Interrupted_BeforeAnyPartIsComplete_LeavesNothing()
    {
        Assert.Equal(0, (await InterruptAsync(0)).BytesKept);

        Assert.Empty(Folder.Files);
    }

    [Fact]
    public async Task Interrupted_AfterAllParts_OnlyChecksAndPublishes()
    {
        using CancellationTokenSource cancel = new();
        S3.Before = async (call, token) =>
        {
            if (call.Operation == S3Call.Attributes)
            {
                await Deadline.Until(() => Finished() == 9);
                await cancel.CancelAsync();
                token.ThrowIfCancellationRequested();
            }
        };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target, cancellationToken: cancel.Token).Within());

        DownloadResult result = await AgainAsync();

        Assert.EachEqual((Size, true), (result.Statistics.BytesResumed, result.Verdict.IsVerified));
        Assert.Equal([(0L, 0L)], S3.Gets.Select(get => (get.First!.Value, get.Last!.Value)));
        Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
        Assert.Equal(["target"], Folder.Files);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ObjectChanged_StartsOver(bool isLonger)
    {
        await InterruptAsync(Arrived);
        byte[] content = Sample.Bytes(isLonger ? Size + Part : Size, seed: 2);
        S3.Objects[FakeS3.Key] = FakeObject.Checked(content) with { ETag = "\"another\"" };

        DownloadResult result = await AgainAsync();

        Assert.EachEqual((0L, true), (result.Statistics.BytesResumed, result.Verdict.IsVerified));
        Assert.Equal(content, await File.ReadAllBytesAsync(Target));
        Assert.Equal(["target"], Folder.Files);
    }

    [Fact]
    public async Task ObjectShrankToOnePart_DeletesTheOldState()
    {
        await InterruptAsync(Arrived);
        byte[] content = Sample.Bytes(10, seed: 2);
        S3.Objects[FakeS3.Key] = FakeObject.Checked(content) with { ETag = "\"another\"" };

        await AgainAsync();

        Assert.Equal(content, await File.ReadAllBytesAsync(Target));
        Assert.Equal(["target"], Folder.Files);
    }

    /// <summary>Deletes the disk space and the journal of the earlier run, and keeps no state of the new one.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task WithoutResume_StartsOverAndLeavesNothing(bool fails)
    {
        await InterruptAsync(Arrived);
        S3.Before = (call, _) => fails && call.First >= Arrived ? throw FakeS3.Busy() : Task.CompletedTask;
        Task<DownloadResult> download = NewClient(o => o.MaxAttempts = 1).DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target, new DownloadOptions { Resume = false });

        if (fails)
        {
            Assert.Equal(0, (await Assert.ThrowsAsync<TransferException>(() => download.Within())).BytesKept);
            Assert.Empty(Folder.Files);
        }
        else
        {
            Assert.Equal(0, (await download.Within()).Statistics.BytesResumed);
            Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
            Assert.Equal(["target"], Folder.Files);
        }
    }

    /// <summary>A listing reported that the object is now small. It is downloaded with one request and one write, without a lookup before.</summary>
    [Fact]
    public async Task ObjectShrankAndAHintSaysSo_DeletesTheOldState()
    {
        await InterruptAsync(Arrived);
        Assert.Equal(2, Folder.Files.Count);
        byte[] content = S3.Put(100);
        S3.Calls.Clear();

        await AgainAsync(new DownloadOptions { Hint = new ObjectHint { Length = 100, ETag = S3.Objects[FakeS3.Key].ETag } });

        Assert.Single(S3.Gets);
        Assert.Equal(content, await File.ReadAllBytesAsync(Target));
        Assert.Equal(["target"], Folder.Files);
    }

    /// <summary>Only a folder that the download creates isn't searched for old state.</summary>
    [Fact]
    public async Task ObjectShrank_DownloadOfItsFolder_DeletesTheOldState()
    {
        const string Key = "photos/old/object";
        S3.Put(Key, Size, 1);
        S3.Before = static (call, _) => call.First >= Arrived ? throw FakeS3.Busy() : Task.CompletedTask;
        string folder = Folder.File("old");
        Directory.CreateDirectory(folder);
        TransferClient oneByOne = NewClient(options => (options.MaxAttempts, options.MaxConcurrency) = (1, 1));
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => oneByOne.DownloadAsync(FakeS3.Bucket, Key, Path.Combine(folder, "object")).Within());
        Assert.EachEqual((Arrived, 2), (e.BytesKept, Directory.GetFiles(folder).Length));
        S3.Before = null;
        S3.Put(Key, 100, 2);

        await NewClient().DownloadDirectoryAsync(FakeS3.Bucket, "photos", Folder.Path).Within();

        Assert.Equal([Path.Combine(folder, "object")], Directory.GetFiles(folder));
    }

    /// <summary>Another download of the same object to the same file is running. Its state must not be touched.</summary>
    [Fact]
    public async Task WithoutResume_DuringAnotherDownload_DoesNotAffectIt()
    {
        Gate gate = new();
        bool isFirst = true;
        S3.Before = async (call, token) =>
        {
            if (isFirst && call.First == Part)
            {
                isFirst = false;
                await gate.PassAsync(token);
            }
        };
        Task<DownloadResult> first = NewClient(o => o.MaxConcurrency = 1).DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target);
        await gate.Reached;

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target, new DownloadOptions { Resume = false }).Within();
        Assert.Equal(3, Folder.Files.Count);
        gate.Open();
        await first.Within();

        Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
        Assert.Equal(["target"], Folder.Files);
    }

    /// <summary>Parts that are not in the journal are fetched again. This is logged once, and they are not counted as kept.</summary>
    [Fact]
    public void JournalFull_IsLoggedOnce()
    {
        using LogLines log = new();
        TransferClient client = NewClient();
        DownloadRequest request = DownloadRequest.From(FakeS3.Bucket, FakeS3.Key, new DownloadOptions(), client.Context.Settings);
        using PartialFile partial = new(FileTarget.From(Target, new DownloadOptions()), request, "store", log, maxJournalBytes: 300);
        using (partial.Open(Size, "\"tag\"", out _))
        {
            using ContentVerifier verifier = new(request.Address, true) { AlsoWanted = CrcSet.Kinds.Crc64Nvme };
            for (int part = 0; part < 8; part++)
            {
                RangeChecksum checksum = verifier.Begin(part * Part);
                checksum.Append(new byte[Part]);
                partial.Add(part * Part, checksum);
            }

            long kept = partial.Keep();
            Assert.InRange(kept, 1, 7 * Part);
            Assert.Contains($"is full after {kept} bytes", Assert.Single(log.Written), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task ObjectDeleted_ThrowsAndLeavesNothing()
    {
        await InterruptAsync(Arrived);
        S3.Objects.Clear();

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => AgainAsync());

        Assert.Equal(HttpStatusCode.NotFound, e.StatusCode);
        Assert.Empty(Folder.Files);
    }

    [Fact]
    public async Task JournalTruncated_AtAnyByte_FileIsCorrect()
    {
        await InterruptAsync(Arrived);
        byte[] journal = await File.ReadAllBytesAsync(Hidden("journal"));
        byte[] unfinished = await File.ReadAllBytesAsync(Hidden(".transfer"));
        (string journalPath, string unfinishedPath) = (Hidden("journal"), Hidden(".transfer"));

        long least = long.MaxValue;
        for (int length = journal.Length; length >= 0; length -= 3)
        {
            await File.WriteAllBytesAsync(journalPath, journal[..length]);
            await File.WriteAllBytesAsync(unfinishedPath, unfinished);
            Secure(journalPath, unfinishedPath);

            DownloadResult result = await AgainAsync();

            Assert.True(result.Statistics.BytesResumed <= least && result.Statistics.BytesResumed % Part == 0);
            least = result.Statistics.BytesResumed;
            Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
            Assert.Equal(["target"], Folder.Files);
        }

        Assert.Equal(0, least);
    }

    [Fact]
    public async Task PartDamagedOnDisk_IsFetchedAgain()
    {
        await InterruptAsync(Arrived);
        using (FileStream unfinished = File.Open(Hidden(".transfer"), FileMode.Open))
        {
            unfinished.Position = (2 * Part) + 100;
            int old = unfinished.ReadByte();
            unfinished.Position--;
            unfinished.WriteByte((byte)(old ^ 1));
        }

        DownloadResult result = await AgainAsync();

        Assert.EachEqual((Arrived - Part, true), (result.Statistics.BytesResumed, result.Verdict.IsVerified));
        Assert.Equal([0L, 2L * Part, 5L * Part, 6L * Part, 7L * Part, 8L * Part], S3.Gets.Select(get => get.First!.Value).Order());
        Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
    }

    [Fact]
    public async Task FileTruncatedOnDisk_MissingDataIsFetchedAgain()
    {
        await InterruptAsync(Arrived);
        using (FileStream unfinished = File.Open(Hidden(".transfer"), FileMode.Open))
        {
            unfinished.SetLength((3 * Part) + 1);
        }

        Assert.Equal(3 * Part, (await AgainAsync()).Statistics.BytesResumed);
        Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
    }

    [Fact]
    public async Task IncompleteFileDeleted_StartsOver()
    {
        await InterruptAsync(Arrived);
        File.Delete(Hidden(".transfer"));

        Assert.Equal(0, (await AgainAsync()).Statistics.BytesResumed);
        Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
        Assert.Equal(["target"], Folder.Files);
    }

    /// <summary>A process can be killed at any moment, so no journal may list parts of a file that is only about to be created.</summary>
    [Fact]
    public async Task StartsOver_JournalIsEmptyBeforeTheFileIsCreated()
    {
        await InterruptAsync(Arrived);
        string file = Hidden(".transfer");
        File.Delete(file);
        Directory.CreateDirectory(file);
        TransferClient client = NewClient();
        DownloadRequest request = DownloadRequest.From(FakeS3.Bucket, FakeS3.Key, new DownloadOptions(), client.Context.Settings);
        using PartialFile partial = new(FileTarget.From(Target, new DownloadOptions()), request, client.Context.Store);
        Assert.True(partial.IsFound);

        Assert.ThrowsAny<SystemException>(() => partial.Open(Size, S3.Objects[FakeS3.Key].ETag, out _));

        Assert.Equal(0, new FileInfo(Hidden("journal")).Length);
    }

    [UnixFact]
    public async Task HiddenFilesOfOthers_AreNeitherReadNorWritten()
    {
        await InterruptAsync(Arrived);
        foreach (string end in (string[])["journal", ".transfer"])
        {
            string hidden = Hidden(end);
            byte[] bytes = await File.ReadAllBytesAsync(hidden);
            foreach (Action<string, string> put in (Action<string, string>[])[(path, other) => File.CreateSymbolicLink(path, other), (path, other) => Link(path, other), OpenToOthers])
            {
                string other = Folder.File("other", bytes);
                Secure(other);
                File.Delete(hidden);
                put(hidden, other);

                Assert.Equal(0, (await AgainAsync()).Statistics.BytesResumed);

                Assert.Equal(bytes, await File.ReadAllBytesAsync(other));
                Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
                File.Delete(Target);
                foreach (string left in Folder.Files)
                {
                    File.Delete(Folder.File(left));
                }

                await InterruptAsync(Arrived);
            }
        }

        static void OpenToOthers(string path, string other)
        {
            File.Copy(other, path);
#pragma warning disable CA1416 // the test runs only on Unix
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupWrite);
#pragma warning restore CA1416
        }
    }

    [Fact]
    public async Task TwoConcurrentDownloads_SecondHasNoJournalAndBothAreCorrect()
    {
        Gate gate = new();
        bool isFirst = true;
        S3.Before = async (call, token) =>
        {
            if (isFirst && call.First == Part)
            {
                isFirst = false;
                await gate.PassAsync(token);
            }
        };
        Task<DownloadResult> first = NewClient(o => o.MaxConcurrency = 1).DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target);
        await gate.Reached;

        await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target).Within();
        Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
        Assert.Equal(3, Folder.Files.Count);
        gate.Open();
        await first.Within();

        Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
        Assert.Equal(["target"], Folder.Files);
    }

    /// <summary>
    /// A download that finds a journal and doesn't need one gives up its lock. A second run then takes the journal and the names of its file, so the first can't use them.
    /// </summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task JournalFoundButNotNeeded_AnotherRunTakesItsNames_BothAreCorrect(bool isOnePart)
    {
        await InterruptAsync(Arrived);
        DownloadOptions withoutJournal = isOnePart ? new() { PartSizeBytes = Size } : new() { Hint = new ObjectHint { Length = Size } };
        if (!isOnePart)
        {
            await File.WriteAllBytesAsync(Hidden("journal"), []); // as a process leaves it that is killed when it has created it
        }

        Gate one = new();
        Gate two = new();
        bool isFirst = true;
        bool isSecond = false;
        S3.Before = async (call, token) =>
        {
            if (isFirst && call.Last > 0 && (isOnePart || call.First >= Part))
            {
                isFirst = false;
                await one.PassAsync(token);
            }
            else if (isSecond && call.First >= Part)
            {
                isSecond = false;
                await two.PassAsync(token);
            }
        };
        Task<DownloadResult> first = NewClient(o => o.MaxConcurrency = 1).DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target, withoutJournal);
        await one.Reached;
        Assert.Single(Folder.Files); // neither the journal nor the file that it describes
        isSecond = true;
        Task<DownloadResult> second = NewClient(o => o.MaxConcurrency = 1).DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target);
        await two.Reached;
        Assert.Equal(3, Folder.Files.Count);

        one.Open();
        Assert.True((await first.Within()).Verdict.IsVerified);
        Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
        two.Open();
        Assert.True((await second.Within()).Verdict.IsVerified);

        Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
        Assert.Equal(["target"], Folder.Files);
    }

    /// <summary>The journal of a running download was deleted, so its lock no longer keeps others from using the names of its file.</summary>
    [LinuxFact]
    public async Task JournalDeletedMeanwhile_AnotherRunTakesItsNames_FirstFailsAndTouchesNothing()
    {
        Gate one = new();
        Gate two = new();
        Gate? next = one;
        S3.Before = (call, token) => call.First == Part && Interlocked.Exchange(ref next, null) is { } gate ? gate.PassAsync(token) : Task.CompletedTask;
        Task<DownloadResult> first = NewClient(o => o.MaxConcurrency = 1).DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target);
        await one.Reached;
        File.Delete(Hidden("journal"));
        next = two;
        Task<DownloadResult> second = NewClient(o => o.MaxConcurrency = 1).DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target);
        await two.Reached;

        one.Open();
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => first.Within());
        Assert.Contains($"Another process has replaced the temporary file of '{Target}'", e.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(Target));
        Assert.Equal(2, Folder.Files.Count);
        two.Open();
        await second.Within();

        Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
        Assert.Equal(["target"], Folder.Files);
    }

    [Fact]
    public async Task StoreFails_KeepsStateOnlyForTransientErrors()
    {
        TransferClient client = NewClient(o => o.MaxAttempts = 2);
        S3.Before = (call, _) => FailAsync(call, FakeS3.Error(HttpStatusCode.NotFound, "NoSuchKey"));
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target).Within());
        Assert.Equal(0, e.BytesKept);
        Assert.Empty(Folder.Files);

        S3.Before = (call, _) => FailAsync(call, FakeS3.Busy());
        e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target).Within());
        Assert.Equal(Arrived, e.BytesKept);
        Assert.Equal(2, Folder.Files.Count);

        // A download that fails before it knows whether it can resume leaves existing state unchanged.
        S3.Before = (_, _) => throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
        e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target, new DownloadOptions { Resume = false }).Within());
        Assert.Equal(0, e.BytesKept);
        Assert.Equal(2, Folder.Files.Count);
        e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target).Within());
        Assert.Equal(Arrived, e.BytesKept);
        Assert.Equal(Arrived, (await AgainAsync()).Statistics.BytesResumed);

        async Task FailAsync(S3Call call, Exception failure)
        {
            if (call.First >= Arrived)
            {
                await Deadline.Until(() => Finished() == Arrived / Part);
                throw failure;
            }
        }
    }

    [Fact]
    public async Task ClientDisposed_KeepsCompleteParts()
    {
        TransferClient client = NewClient();
        S3.Before = (call, token) => call.First >= Arrived ? Task.Delay(Timeout.Infinite, token) : Task.CompletedTask;
        Task<DownloadResult> download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target);
        await Deadline.Until(() => Folder.Files.Count == 2 && Finished() == Arrived / Part);

        await client.DisposeAsync().Within();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => download.Within());

        Assert.Equal(Arrived, (await AgainAsync()).Statistics.BytesResumed);
        Assert.Equal(_content, await File.ReadAllBytesAsync(Target));
    }

    /// <summary>What the first run received was damaged on its way, so that the journal has the checksum of damaged parts.</summary>
    [Fact]
    public async Task ContentAndJournalBothWrong_StartsOver()
    {
        await InterruptAsync(Arrived);
        byte[] content = Sample.Bytes(Size, seed: 3);
        S3.Objects[FakeS3.Key] = FakeObject.Checked(content); // with the same ETag, so the existing parts are of different content

        DownloadResult result = await AgainAsync();

        Assert.True(result.Verdict.IsVerified);
        Assert.EachEqual((0L, (long)Size), (result.Statistics.BytesResumed, result.Statistics.BytesTransferred));
        Assert.Equal(content, await File.ReadAllBytesAsync(Target));
        Assert.Single(Folder.Files);
    }

    [Fact]
    public async Task ContentAndJournalBothWrong_AndTheStore_IsAMismatchAndLeavesNothing()
    {
        await InterruptAsync(Arrived);
        S3.Objects[FakeS3.Key] = FakeObject.Checked(Sample.Bytes(Size, seed: 3)) with { Content = Sample.Bytes(Size, seed: 4) };

        await Assert.ThrowsAsync<ChecksumMismatchException>(() => AgainAsync());

        Assert.Empty(Folder.Files);
    }

    [Fact]
    public async Task NoStrongETag_KeepsNothing()
    {
        S3.Objects[FakeS3.Key] = FakeObject.Checked(Sample.Bytes(Size)) with { ETag = "W/\"weak\"" };

        Assert.Equal(0, (await InterruptAsync(Arrived)).BytesKept);

        Assert.Empty(Folder.Files);
    }

    [Fact]
    public async Task AnotherObjectToTheSameFile_UsesNothingOfTheFirst()
    {
        byte[] other = S3.Put("other", Size, seed: 2);
        await InterruptAsync(Arrived);

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, "other", Target).Within();

        Assert.Equal(0, result.Statistics.BytesResumed);
        Assert.Equal(other, await File.ReadAllBytesAsync(Target));
        Assert.Equal(3, Folder.Files.Count); // the state from which the first can resume
    }

    private static void Secure(params string[] paths)
    {
        if (!OperatingSystem.IsWindows())
        {
            foreach (string path in paths)
            {
                File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
            }
        }
    }

    private static void Link(string path, string other)
    {
        using System.Diagnostics.Process link = System.Diagnostics.Process.Start("ln", [other, path]);
        link.WaitForExit();
        Assert.Equal(0, link.ExitCode);
    }

    private string Hidden(string end) => Folder.File(Assert.Single(Folder.Files, file => file.EndsWith(end, StringComparison.Ordinal)));

    /// <summary>Returns the number of completed parts in the journal.</summary>
    private int Finished()
    {
#pragma warning disable CA1416 // .NET's open methods request the lock that the download holds
        using SafeFileHandle journal = Libc.OpenToRead(Hidden("journal"));
#pragma warning restore CA1416
        byte[] lines = new byte[RandomAccess.GetLength(journal)];
        return lines[..RandomAccess.Read(journal, lines, 0)].Count(b => b == '\n') - 1;
    }

    /// <summary>Downloads until all parts before the byte have arrived, and none after it.</summary>
    private async Task<TransferProgress> InterruptAsync(long at, DownloadOptions? options = null)
    {
        using CancellationTokenSource cancel = new();
        S3.Calls.Clear();
        S3.Before = async (call, token) =>
        {
            if (call.First >= at && call.Last > call.First)
            {
                // Parts start in any order, so wait for those before the byte.
                int parts = (int)((at - (options?.Range?.Offset ?? 0)) / Part);
                await Deadline.Until(() => parts == 0 || Folder.Files.Count < 2 || token.IsCancellationRequested || Finished() == parts);
                await cancel.CancelAsync();
                await Task.Delay(Timeout.Infinite, token); // a second caller of CancelAsync doesn't wait for its completion
            }
        };
        LastProgress progress = new();
        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target, options, progress, cancel.Token).Within());
        Assert.Equal(cancel.Token, e.CancellationToken);
        S3.Before = null;
        return progress.Value;
    }

    private Task<DownloadResult> AgainAsync(DownloadOptions? options = null)
    {
        S3.Calls.Clear();
        S3.Before = null;
        return NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, Target, options).Within();
    }

    private sealed class LastProgress : IProgress<TransferProgress>
    {
        public TransferProgress Value { get; private set; }

        public void Report(TransferProgress value) => Value = value;
    }
}
