using System.Net;
using System.Text;
using System.Text.Json;
using System.Xml;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.SecurityToken;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Resume;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Upload;

/// <summary>An interrupted upload of a file, and the upload that resumes it.</summary>
public sealed class UploadResumeTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;
    private const int Size = (4 * Part) + 5;
    private readonly byte[] _content = Sample.Bytes(Size);

    public UploadResumeTests() => Folder.File("source", _content);

    private string State => Folder.File("state");

    private static SourceReader Reader => new(new MemorySource(new System.Buffers.ReadOnlySequence<byte>(new byte[20])));

    private IEnumerable<int> Sent => S3.Calls.Where(call => call.Operation == S3Call.UploadPart).Select(call => call.Part!.Value).Order();

    [Fact]
    public async Task Interrupted_NextUploadSendsOnlyMissingParts()
    {
        Assert.Equal(2 * Part, (await InterruptAsync(atPart: 3)).BytesKept);
        Assert.True(S3.HasOpenUpload);
        Assert.Equal(0, S3.GetCount(S3Call.Abort));
        UploadResult result = await AgainAsync();

        Assert.Equal([3, 4, 5], Sent);
        Assert.EachEqual((0, 0), (S3.GetCount(S3Call.Create), S3.GetCount(S3Call.Abort)));
        Assert.EachEqual((Size, 2 * Part, 5, true), (result.Statistics.BytesTransferred, result.Statistics.BytesResumed, result.Parts, result.Verdict.IsVerified));
        Assert.Equal(_content, S3.Published());
        Assert.Empty(Directory.GetFiles(State));
    }

    [Theory]
    [InlineData(ChecksumAlgorithm.Sha1)]
    [InlineData(ChecksumAlgorithm.Sha512)]
    [InlineData(ChecksumAlgorithm.XxHash64)]
    [InlineData(ChecksumAlgorithm.XxHash3)]
    [InlineData(ChecksumAlgorithm.XxHash128)]
    [InlineData(ChecksumAlgorithm.Md5)]
    [InlineData(ChecksumAlgorithm.ContentMd5)]
    public async Task Interrupted_ChosenChecksum_NextUploadSendsOnlyMissingParts(ChecksumAlgorithm algorithm)
    {
        UploadOptions options = new() { Checksum = algorithm };

        Assert.Equal(2 * Part, (await InterruptAsync(atPart: 3, options)).BytesKept);
        UploadResult result = await AgainAsync(options);

        Assert.Equal([3, 4, 5], Sent);
        Assert.Equal(2 * Part, result.Statistics.BytesResumed);
        Assert.Equal(_content, S3.Published());
    }

    /// <summary>A later version can know more algorithms.</summary>
    [Theory]
    [InlineData("\"XxHash128\"", true)]
    [InlineData("\"ContentMd5\"", true)]
    [InlineData("\"XxHash256\"", false)]
    [InlineData("99", false)]
    [InlineData("-1", false)]
    public void Journal_Checksum_IsReadIfItIsKnown(string checksum, bool isRead)
    {
        UploadHeader header = new(1, FakeS3.Bucket, FakeS3.Key, "id", "source", 20, 0, 10, string.Empty, ChecksumAlgorithm.XxHash128);
        string json = JsonSerializer.Serialize(header, UploadJournalJson.Default.UploadHeader).Replace("\"XxHash128\"", checksum, StringComparison.Ordinal);

        Assert.Equal(isRead, UploadJournal.Parse([Encoding.UTF8.GetBytes(json)]) is not null);
    }

    [Fact]
    public async Task Interrupted_WithoutResume_IsAbortedAndLeavesNothing()
    {
        Assert.Equal(0, (await InterruptAsync(atPart: 3, new UploadOptions { Resume = false })).BytesKept);

        Assert.False(S3.HasOpenUpload);
        Assert.False(Directory.Exists(State));
    }

    [Fact]
    public async Task Interrupted_BeforeAnyPart_IsAborted()
    {
        Assert.Equal(0, (await InterruptAsync(atPart: 1)).BytesKept);

        Assert.False(S3.HasOpenUpload);
        Assert.Empty(Directory.GetFiles(State));
    }

    /// <summary>At whichever request a resumed upload is interrupted, the parts of the first run are kept.</summary>
    [Theory]
    [InlineData(S3Call.ListParts, 1, false)]
    [InlineData(S3Call.ListParts, 1, true)]
    [InlineData(S3Call.ListParts, 2, false)]
    [InlineData(S3Call.ListParts, 2, true)]
    [InlineData(S3Call.UploadPart, 1, false)]
    [InlineData(S3Call.Complete, 1, false)]
    public async Task Interrupted_Repeatedly_KeepsTheStoredParts(string operation, int call, bool answers)
    {
        await InterruptAsync(atPart: 5);
        S3.Parts.TryRemove(1, out _); // the first part is missing, so no stored part has been compared before it is sent

        for (int run = 0; run < 3; run++)
        {
            long there = S3.Parts.Values.Sum(part => (long)part.Length);
            int calls = 0;
            using CancellationTokenSource cancel = new();
            S3.Before = async (one, token) =>
            {
                if (one.Operation == operation && ++calls == call)
                {
                    await cancel.CancelAsync();
                    if (!answers)
                    {
                        token.ThrowIfCancellationRequested();
                    }
                }
            };
            LastProgress progress = new();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => UploadAsync(NewClient(o => Configure(o)), null, progress, cancel.Token));

            Assert.EachEqual((true, 0), (S3.HasOpenUpload, S3.GetCount(S3Call.Abort)));

            // Until the whole list was read, the journal tells what is kept. The last page can arrive before the cancellation is noticed.
            long[] kept = (operation, call, answers) switch
            {
                (S3Call.Complete, _, _) => [Size],
                (S3Call.ListParts, 2, true) => [4 * Part, there],
                (S3Call.ListParts, _, _) => [4 * Part],
                _ => [there],
            };
            Assert.Contains(progress.Value.BytesKept, kept);
        }

        UploadResult result = await AgainAsync();
        Assert.Equal(_content, S3.Published());
        Assert.EachEqual((0, operation == S3Call.Complete ? Size : 3L * Part), (S3.GetCount(S3Call.Create), result.Statistics.BytesResumed));
        Assert.Empty(Directory.GetFiles(State));
    }

    /// <summary>The last page of the part list has arrived, and no part was read yet, as when Ctrl+C is pressed right after the start.</summary>
    [Fact]
    public async Task InterruptedAgain_RightAfterThePartListing_KeepsTheStoredParts()
    {
        await InterruptAsync(atPart: 3);
        S3.Before = null;
        using CancellationTokenSource cancel = new();
        LastProgress progress = new();
        TransferClient client = NewClient(o =>
        {
            Configure(o);
            o.Advanced.RequestObserver = timing =>
            {
                if (timing.Kind == RequestKind.ListParts)
                {
                    cancel.Cancel();
                }
            };
        });

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => UploadAsync(client, null, progress, cancel.Token));

        Assert.EachEqual((true, 0, 2L * Part), (S3.HasOpenUpload, S3.GetCount(S3Call.Abort), progress.Value.BytesKept));
        Assert.Equal(2 * Part, (await AgainAsync()).Statistics.BytesResumed);
    }

    [Fact]
    public async Task InterruptedAgain_ByAnotherFileOfTheFolder_KeepsTheStoredParts()
    {
        string folder = Path.Combine(Folder.Path, "tree");
        Directory.CreateDirectory(folder);
        await File.WriteAllBytesAsync(Path.Combine(folder, "small"), new byte[10]);
        await File.WriteAllBytesAsync(Path.Combine(folder, FakeS3.Key), _content);
        Gate gate = new();
        using CancellationTokenSource cancel = new();
        S3.Before = async (call, token) =>
        {
            if (call.Part == 4)
            {
                await cancel.CancelAsync();
                token.ThrowIfCancellationRequested();
            }
        };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => UploadFolderAsync(folder, new DirectoryOptions { Exclude = ["small"] }, cancel.Token));
        S3.Parts.TryRemove(1, out _);
        S3.Before = async (call, token) =>
        {
            if (call.Key == "small")
            {
                await gate.Reached;
                throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
            }

            await (call.Part == 1 ? gate.PassAsync(token) : Task.CompletedTask);
        };

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadFolderAsync(folder, new DirectoryOptions(), default));

        Assert.Equal("AccessDenied", e.ErrorCode);
        Assert.EachEqual((true, 0), (S3.HasOpenUpload, S3.GetCount(S3Call.Abort)));
        Assert.Single(Directory.GetFiles(State));

        Task<DirectoryResult> UploadFolderAsync(string path, DirectoryOptions options, CancellationToken token)
            => NewClient(o => Configure(o)).UploadDirectoryAsync(path, FakeS3.Bucket, string.Empty, options, null, token).Within();
    }

    /// <summary>A transient disk error must not discard the uploaded parts.</summary>
    [Fact]
    public async Task SourceCannotBeRead_KeepsTheStoredParts()
    {
        TransferClient client = NewClient(o => Configure(o));
        UploadRequest request = UploadRequest.From(FakeS3.Bucket, FakeS3.Key, new UploadOptions(), client.Context.Settings);
        TransferRun run = client.Context.Begin(TransferDirection.Upload, request.Address, null, null);
        using PartSet parts = new(run, request, PartMemory.Whole, CancellationToken.None);
        LocalFolder folder = LocalFolder.Open(Folder.Path);
        UploadHeader header = new(1, FakeS3.Bucket, FakeS3.Key, string.Empty, "source", 20, 0, 10, string.Empty, ChecksumAlgorithm.Auto);
        Assert.Null(await parts.UseAsync(new UploadJournal(folder, Journal.TryOpen(folder, "journal", create: true)!, header), Reader, UploadPlan.ForLength(20, 10, 10_000)));
        parts.Send(await OpenFilledAsync(parts));
        await Deadline.Until(() => run.Reporter.Bytes.Parts == 1);
        TransferException failure = new("The source could not be read at byte 10: Stale file handle", new IOException("Stale file handle"));

        Assert.Same(failure, await parts.AbandonAsync(failure).Within());

        Assert.EachEqual((10L, true, 0), (failure.BytesKept, S3.HasOpenUpload, S3.GetCount(S3Call.Abort)));
        Assert.Equal(["journal", "source"], Folder.Files.Order());
    }

    public static TheoryData<string?> SourceAndHeaders => [null, .. HeaderSamples.All.Select(header => header.Name)];

    /// <param name="header">The header that the options of the second run set; null for another source with the same options.</param>
    [Theory]
    [MemberData(nameof(SourceAndHeaders))]
    public async Task SourceOrAnyHeaderChanged_AbortsTheOldUploadAndSendsAllParts(string? header)
    {
        bool source = header is null;
        await InterruptAsync(atPart: 3);
        byte[] content = source ? Sample.Bytes(Size, seed: 2) : _content;
        if (source)
        {
            Folder.File("source", content);
            File.SetLastWriteTimeUtc(Folder.File("source"), DateTime.UnixEpoch);
        }

        UploadResult result = await AgainAsync(header is null ? null : new UploadOptions().With(ObjectHeader.Find(header)!));

        Assert.Equal([1, 2, 3, 4, 5], Sent);
        Assert.EachEqual((1, 1), (S3.GetCount(S3Call.Create), S3.GetCount(S3Call.Abort)));
        Assert.Equal(0, result.Statistics.BytesResumed);
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task SourceChangedWithTheSameLengthAndTime_PartIsSentAgain()
    {
        DateTime time = File.GetLastWriteTimeUtc(Folder.File("source"));
        await InterruptAsync(atPart: 4);
        byte[] content = [.. _content];
        content[Part + 1] ^= 1;
        Folder.File("source", content);
        File.SetLastWriteTimeUtc(Folder.File("source"), time);

        UploadResult result = await AgainAsync();

        Assert.Equal([2, 4, 5], Sent);
        Assert.Equal(2 * Part, result.Statistics.BytesResumed);
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task StoreHasNoOrADifferentPart_PartIsSentAgain()
    {
        await InterruptAsync(atPart: 5);
        S3.Parts.TryRemove(1, out _);
        S3.Parts[3] = Sample.Bytes(Part, seed: 9);
        S3.Parts[4] = S3.Parts[4][..^1];

        await AgainAsync();

        Assert.Equal([1, 3, 4, 5], Sent);
        Assert.Equal(_content, S3.Published());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task StoreListsNoChecksums_TheJournalDecides(bool tagsAreTheSame)
    {
        await InterruptAsync(atPart: 4);
        S3.ListsPartChecksums = false;
        S3.PartTag = tagsAreTheSame ? S3.PartTag : number => $"\"other-{number}\"";

        UploadResult result = await AgainAsync();

        Assert.Equal(tagsAreTheSame ? [4, 5] : [1, 2, 3, 4, 5], Sent);
        Assert.Equal(tagsAreTheSame ? 3 * Part : 0, result.Statistics.BytesResumed);
        Assert.Equal(_content, S3.Published());
    }

    [Fact]
    public async Task JournalTruncated_AtAnyByte_ObjectIsCorrect()
    {
        await InterruptAsync(atPart: 4);
        string path = Assert.Single(Directory.GetFiles(State));
        byte[] journal = await File.ReadAllBytesAsync(path);
        for (int length = journal.Length; length >= 0; length -= 97)
        {
            S3.Objects.Clear();
            await File.WriteAllBytesAsync(path, journal[..length]);
            if (!OperatingSystem.IsWindows())
            {
                File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
            }

            S3.Reopen();
            await AgainAsync();
            Assert.Equal(_content, S3.Published());
            Assert.Empty(Directory.GetFiles(State));
        }
    }

    [Fact]
    public async Task UploadIsGone_StartsOver()
    {
        await InterruptAsync(atPart: 3);
        S3.Forget();

        UploadResult result = await AgainAsync();

        Assert.Equal([1, 2, 3, 4, 5], Sent);
        Assert.EachEqual((1, 0, 0L), (S3.GetCount(S3Call.Create), S3.GetCount(S3Call.Abort), result.Statistics.BytesResumed));
        Assert.Equal(_content, S3.Published());
    }

    public static TheoryData<HttpStatusCode, string?> RefusalsOfLists => new()
    {
        { HttpStatusCode.Forbidden, "AccessDenied" },
        { HttpStatusCode.MethodNotAllowed, "MethodNotAllowed" },
        { HttpStatusCode.MethodNotAllowed, null }, // not an error of S3
        { HttpStatusCode.NotFound, null },
        { HttpStatusCode.BadRequest, "InvalidRequest" },
        { HttpStatusCode.NotImplemented, "NotImplemented" },
        { HttpStatusCode.OK, null }, // not a valid response
    };

    /// <summary>If parts can't be listed, the journal is used. The store checks the parts when the upload is completed.</summary>
    [Theory]
    [MemberData(nameof(RefusalsOfLists))]
    public async Task PartsCannotBeListed_UsesTheJournal(HttpStatusCode status, string? code)
    {
        await InterruptAsync(atPart: 4);
        Exception refusal = status == HttpStatusCode.OK ? new XmlException("<html>")
            : code is null ? new AmazonS3Exception("no", null, ErrorType.Unknown, status.ToString(), null, status) : FakeS3.Error(status, code);

        UploadResult result = await AgainAsync(before: (call, _) => call.Operation == S3Call.ListParts ? throw refusal : Task.CompletedTask);

        Assert.Equal([1, 4, 5], Sent); // the first one shows that the upload is still there
        Assert.EachEqual((0, 0, 2L * Part), (S3.GetCount(S3Call.Create), S3.GetCount(S3Call.Abort), result.Statistics.BytesResumed));
        Assert.Equal(_content, S3.Published());
        Assert.False(S3.HasOpenUpload);
        Assert.Empty(Directory.GetFiles(State));
    }

    [Fact]
    public async Task PartsCannotBeListedAndTheUploadIsGone_StartsOver()
    {
        await InterruptAsync(atPart: 4);
        S3.Forget();

        UploadResult result = await AgainAsync(before: (call, _) => call.Operation == S3Call.ListParts ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask);

        Assert.Equal([1, 1, 2, 3, 4, 5], Sent);
        Assert.EachEqual((1, 0L), (S3.GetCount(S3Call.Create), result.Statistics.BytesResumed));
        Assert.EachEqual((Size, 5), (result.Statistics.BytesTransferred, result.Parts));
        Assert.Equal(_content, S3.Published());
        Assert.Empty(Directory.GetFiles(State));
    }

    /// <summary>
    /// If the store is busy or a token has expired, the journal is not used instead of the list. The next run requests the list again.
    /// </summary>
    [Theory]
    [InlineData(HttpStatusCode.ServiceUnavailable, "SlowDown")]
    [InlineData(HttpStatusCode.BadRequest, "ExpiredToken")]
    public async Task ListingPartsFailsTemporarily_KeepsTheStoredParts(HttpStatusCode status, string code)
    {
        await InterruptAsync(atPart: 4);
        S3.Calls.Clear();
        S3.Before = (call, _) => call.Operation == S3Call.ListParts ? throw FakeS3.Error(status, code) : Task.CompletedTask;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(NewClient(o => Configure(o))));

        Assert.EachEqual((code, 3L * Part), (e.ErrorCode, e.BytesKept));
        Assert.EachEqual((true, 0), (S3.HasOpenUpload, S3.GetCount(S3Call.Abort)));
        Assert.Empty(Sent);
        Assert.Equal(3 * Part, (await AgainAsync()).Statistics.BytesResumed);
    }

    /// <summary>Nothing is aborted because a provider of credentials fails: without credentials, it couldn't be, and a moment later all parts would be lost.</summary>
    [Theory]
    [InlineData(1, 0)]
    [InlineData(3, 2)]
    public async Task CredentialsFail_KeepsTheUpload(int atPart, int kept)
    {
        S3.Before = (call, _) => call.Operation == S3Call.UploadPart && call.Part >= atPart
            ? throw new AmazonClientException("Error calling AssumeRole for role r", new AmazonSecurityTokenServiceException("busy"))
            : Task.CompletedTask;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(NewClient(o => Configure(o))));

        Assert.EachEqual((kept * (long)Part, null), (e.BytesKept, e.CleanupError));
        Assert.Contains("Error calling AssumeRole for role r", e.Message, StringComparison.Ordinal);
        Assert.Equal(kept > 0, e.Message.EndsWith("; run it again with new credentials, and it resumes", StringComparison.Ordinal));
        Assert.EachEqual((true, 0), (S3.HasOpenUpload, S3.GetCount(S3Call.Abort)));
        Assert.Equal(kept * (long)Part, (await AgainAsync()).Statistics.BytesResumed);
        Assert.Equal(0, S3.GetCount(S3Call.Create)); // since the first run
        Assert.Equal(_content, S3.Published());
    }

    [Fact]
    public async Task CredentialsFailForAMoment_UploadSucceeds()
    {
        int failures = 0;
        S3.Before = (call, _) => call is { Operation: S3Call.UploadPart, Part: 3 } && failures++ < 6 // more often than other errors are retried
            ? throw new AmazonSecurityTokenServiceException("busy")
            : Task.CompletedTask;

        UploadResult result = await UploadAsync(NewClient(o => Configure(o, attempts: 2)));

        Assert.EachEqual((5, 0), (result.Parts, S3.GetCount(S3Call.Abort)));
        Assert.Equal(_content, S3.Published());
    }

    /// <summary>Neither listing nor uploading parts is permitted. Other credentials may permit it later.</summary>
    [Fact]
    public async Task EverythingIsDenied_KeepsTheStoredParts()
    {
        await InterruptAsync(atPart: 4);
        S3.Before = (_, _) => throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(NewClient(o => Configure(o))));

        Assert.EachEqual(("AccessDenied", 3L * Part, 0), (e.ErrorCode, e.BytesKept, S3.GetCount(S3Call.Abort)));
        Assert.Equal(3 * Part, (await AgainAsync()).Statistics.BytesResumed);
    }

    [Fact]
    public async Task PartsCannotBeListed_InterruptedAgain_KeepsTheStoredParts()
    {
        await InterruptAsync(atPart: 4);
        using CancellationTokenSource cancel = new();
        LastProgress progress = new();
        S3.Before = async (call, token) =>
        {
            if (call.Operation == S3Call.ListParts)
            {
                throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
            }

            if (call.Part == 1)
            {
                await cancel.CancelAsync();
                token.ThrowIfCancellationRequested();
            }
        };

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => UploadAsync(NewClient(o => Configure(o)), null, progress, cancel.Token));

        Assert.EachEqual((true, 0, 3L * Part), (S3.HasOpenUpload, S3.GetCount(S3Call.Abort), progress.Value.BytesKept));
        Assert.Equal(3 * Part, (await AgainAsync()).Statistics.BytesResumed);
    }

    [Fact]
    public async Task KilledDuringComplete_FileChangedWithTheSameLengthAndTime_IsSent()
    {
        string path = Folder.File("source", _content);
        DateTime time = File.GetLastWriteTimeUtc(path);
        await InterruptAsync(S3Call.Complete);
        S3.Forget();
        S3.Objects[FakeS3.Key] = FakeObject.Checked(_content);
        byte[] content = [.. _content];
        content[^1] ^= 1;
        Folder.File("source", content);
        File.SetLastWriteTimeUtc(path, time);

        UploadResult result = await AgainAsync();

        Assert.Equal(content, S3.Published());
        Assert.EachEqual((Size, 0L, true), (result.Statistics.BytesTransferred, result.Statistics.BytesResumed, result.Verdict.IsVerified));
        Assert.Empty(Directory.GetFiles(State));
    }

    /// <summary>An older object with the same content doesn't prove that this upload was completed.</summary>
    [Fact]
    public async Task KilledDuringComplete_OlderObjectHasTheSameBytes_IsSent()
    {
        Time.Advance(TimeSpan.FromDays(1));
        await InterruptAsync(S3Call.Complete);
        S3.Forget();
        S3.Objects[FakeS3.Key] = FakeObject.Checked(_content) with { LastModified = DateTimeOffset.UnixEpoch };

        await AgainAsync();

        Assert.Equal([1, 2, 3, 4, 5], Sent);
        Assert.Empty(Directory.GetFiles(State));
    }

    /// <summary>An upload that can't be aborted is remembered. Every later run for the key tries again to abort it.</summary>
    [Fact]
    public async Task EarlierUploadCannotBeAborted_IsRetriedByLaterRuns()
    {
        await InterruptAsync(atPart: 3);
        Func<S3Call, CancellationToken, Task> refuse = (call, _) => call.Operation == S3Call.Abort ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        // Later runs: without resume, of a small file, with other options, and one that resumes a later upload.
        await AgainAsync(new UploadOptions { Resume = false }, refuse);
        await AgainAsync(new UploadOptions { MultipartThresholdBytes = 2 * Size }, refuse);
        for (int run = 0; run < 2; run++)
        {
            await AgainAsync(new UploadOptions { StorageClass = "GLACIER" }, refuse);
            Assert.Equal(1, S3.GetCount(S3Call.Abort));
            Assert.Single(Directory.GetFiles(State));
            Assert.Equal(_content, S3.Published());
        }

        await AgainAsync();
        Assert.Equal(1, S3.GetCount(S3Call.Abort));
        Assert.Empty(Directory.GetFiles(State));
    }

    [Fact]
    public async Task EarlierUploadCannotBeAborted_LaterUploadIsResumed()
    {
        await InterruptAsync(atPart: 3);
        UploadOptions others = new() { StorageClass = "GLACIER" };
        using CancellationTokenSource cancel = new();
        S3.Before = async (call, token) =>
        {
            if (call.Operation == S3Call.Abort)
            {
                throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
            }

            if (call.Part == 3)
            {
                await cancel.CancelAsync();
                token.ThrowIfCancellationRequested();
            }
        };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => UploadAsync(NewClient(o => Configure(o)), others, null, cancel.Token));

        UploadResult result = await AgainAsync(others, (call, _) => call.Operation == S3Call.Abort ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask);

        Assert.EachEqual((1, 2L * Part), (S3.GetCount(S3Call.Abort), result.Statistics.BytesResumed));
        Assert.Single(Directory.GetFiles(State)); // that of the first upload
    }

    /// <summary>An upload in progress locks its journal, so no other run aborts it.</summary>
    [Fact]
    public async Task AnotherUploadIsRunning_UploadWithoutResume_DoesNotAbortIt()
    {
        Gate gate = new();
        S3.Before = (call, token) => call.Part == 2 ? gate.PassAsync(token) : Task.CompletedTask;
        Task<UploadResult> first = UploadAsync(NewClient(o => Configure(o)));
        await gate.Reached;

        await NewClient(o => o.StateDirectory = State).UploadAsync(Folder.File("small", [1]), FakeS3.Bucket, FakeS3.Key, new UploadOptions { Resume = false }).Within();

        Assert.EachEqual((0, true), (S3.GetCount(S3Call.Abort), S3.HasOpenUpload));
        gate.Open();
        await first;
        Assert.Equal(_content, S3.Published());
        Assert.Empty(Directory.GetFiles(State));
    }

    public static TheoryData<bool, int> EarlierUploadsThatNobodyGoesOnWith => new()
    {
        { false, Size }, // --no-resume
        { true, 1000 }, // the file is now small
        { false, 1000 },
    };

    /// <summary>A run that doesn't resume an earlier upload also aborts it.</summary>
    [Theory]
    [MemberData(nameof(EarlierUploadsThatNobodyGoesOnWith))]
    public async Task EarlierUploadIsNotResumed_IsAborted(bool resumes, int size)
    {
        await InterruptAsync(atPart: 3);
        byte[] content = Sample.Bytes(size, seed: size == Size ? 1 : 2);
        Folder.File("source", content);

        UploadResult result = await AgainAsync(new UploadOptions { Resume = resumes });

        Assert.EachEqual((1, 0L), (S3.GetCount(S3Call.Abort), result.Statistics.BytesResumed));
        Assert.Equal(content, S3.Published());
        Assert.False(S3.HasOpenUpload);
        Assert.Empty(Directory.GetFiles(State));
    }

    [Fact]
    public async Task KilledDuringComplete_ObjectIsFoundAndNothingIsSent()
    {
        await InterruptAsync(S3Call.Complete);
        S3.Forget();
        S3.Objects[FakeS3.Key] = FakeObject.Checked(_content); // the store completed the upload, but the response was lost

        UploadResult result = await AgainAsync();

        Assert.Empty(Sent);
        Assert.EachEqual((0, Size, Size, 5, true), (S3.GetCount(S3Call.Create), result.Statistics.BytesTransferred, result.Statistics.BytesResumed, result.Parts, result.Verdict.IsVerified));
        Assert.Empty(Directory.GetFiles(State));
    }

    /// <summary>The whole file is read again, in as many parts at the same time as the transfer may have.</summary>
    [Theory]
    [InlineData(1, null)]
    [InlineData(2, null)]
    [InlineData(3, null)]
    [InlineData(null, 1)]
    [InlineData(null, 2)]
    public async Task KilledDuringComplete_SmallWindow_ObjectIsFound(int? ofHandle, int? ofOptions)
    {
        byte[] content = Sample.Bytes((12 * Part) + 5);
        Folder.File("source", content);
        await InterruptAsync(S3Call.Complete);
        S3.Forget();
        S3.Objects[FakeS3.Key] = FakeObject.Checked(content);

        for (int call = 0; call < 3; call++)
        {
            UploadOptions options = new() { Handle = ofHandle is { } limit ? new TransferHandle { MaxConcurrency = limit } : null, MaxConcurrency = ofOptions };
            UploadResult result = await AgainAsync(options);
            Assert.EachEqual((content.Length, 13, true), (result.Statistics.BytesTransferred, result.Parts, result.Verdict.IsVerified));
            Assert.Equal(call == 0 ? 0 : 13, Sent.Count());
        }

        Assert.Empty(Directory.GetFiles(State));
    }

    [Fact]
    public async Task KilledDuringComplete_AnotherObjectExists_StartsOver()
    {
        await InterruptAsync(S3Call.Complete);
        S3.Forget();
        S3.Put(Size, seed: 5);

        await AgainAsync();

        Assert.Equal([1, 2, 3, 4, 5], Sent);
        Assert.Equal(_content, S3.Published());
    }

    [Fact]
    public async Task Interrupted_AfterAllParts_OnlyCompletes()
    {
        await InterruptAsync(S3Call.Complete);

        UploadResult result = await AgainAsync();

        Assert.Empty(Sent);
        Assert.Equal(Size, result.Statistics.BytesResumed);
        Assert.Equal(_content, S3.Published());
    }

    [Fact]
    public async Task StoreFails_KeepsPartsOnlyForTransientErrors()
    {
        S3.Before = (call, _) => call.Part == 4 ? throw FakeS3.Busy() : Task.CompletedTask;
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(NewClient(o => Configure(o, attempts: 2))));
        Assert.EachEqual((3L * Part, 0), (e.BytesKept, S3.GetCount(S3Call.Abort)));
        Assert.Null(e.CleanupError);

        S3.Before = (call, _) => call.Part == 4 ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(NewClient(o => Configure(o, attempts: 2))));
        Assert.EachEqual((0L, 1), (e.BytesKept, S3.GetCount(S3Call.Abort)));
        Assert.Empty(Directory.GetFiles(State));
    }

    [Fact]
    public async Task AbortFails_NextRunResumes()
    {
        S3.Before = (call, _) => call.Part == 3 || call.Operation == S3Call.Abort ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(NewClient(o => Configure(o))));
        Assert.NotNull(e.CleanupError);

        UploadResult result = await AgainAsync();

        Assert.EachEqual((2 * Part, 0), (result.Statistics.BytesResumed, S3.GetCount(S3Call.Create)));
        Assert.Equal(_content, S3.Published());
    }

    [Fact]
    public async Task NoFolderForAJournal_UploadContinuesWithoutIt()
    {
        Folder.File("state", [1]);

        Assert.Equal(0, (await AgainAsync()).Statistics.BytesResumed);

        Assert.Equal(_content, S3.Published());
    }

    [Fact]
    public async Task NoChecksum_KeepsNothing()
    {
        Assert.Equal(0, (await InterruptAsync(atPart: 3, new UploadOptions { Checksum = ChecksumAlgorithm.None })).BytesKept);

        Assert.False(S3.HasOpenUpload);
    }

    /// <summary>Parts that no later run could find are not kept.</summary>
    [Fact]
    public async Task JournalCannotBeWritten_UploadContinuesAndIsAbortedIfItEndsEarly()
    {
        foreach (bool isPublished in new[] { true, false })
        {
            TransferClient client = NewClient(o => Configure(o));
            UploadRequest request = UploadRequest.From(FakeS3.Bucket, FakeS3.Key, new UploadOptions(), client.Context.Settings);
            TransferRun run = client.Context.Begin(TransferDirection.Upload, request.Address, null, null);
            using PartSet parts = new(run, request, PartMemory.Whole, CancellationToken.None);
            LocalFolder folder = LocalFolder.Open(Folder.Path);
            Journal journal = new(folder, "journal", File.OpenHandle(Folder.File("journal", []), FileMode.Open, FileAccess.Read));
            Assert.Null(await parts.UseAsync(new UploadJournal(folder, journal, new UploadHeader(1, FakeS3.Bucket, FakeS3.Key, string.Empty, "source", 10, 0, Part, string.Empty, ChecksumAlgorithm.Auto)), Reader, UploadPlan.ForLength(10, Part, 10_000)));
            parts.Send(await OpenFilledAsync(parts));

            if (isPublished)
            {
                await parts.CompleteAsync(default).Within();
                Assert.Equal(10, S3.Published()!.Length);
            }
            else
            {
                await Deadline.Until(() => run.Reporter.Bytes.Parts == 1);
                await parts.AbandonAsync(new OperationCanceledException()).Within();
            }

            Assert.EachEqual((isPublished ? 0 : 1, false), (S3.GetCount(S3Call.Abort), S3.HasOpenUpload));
            Assert.Equal(["source"], Folder.Files);
        }
    }

    private Task<TransferProgress> InterruptAsync(int atPart, UploadOptions? options = null) => InterruptAsync(S3Call.UploadPart, options, atPart);

    private async Task<TransferProgress> InterruptAsync(string operation, UploadOptions? options = null, int? part = null)
    {
        using CancellationTokenSource cancel = new();
        S3.Before = async (call, token) =>
        {
            if (call.Operation == operation && call.Part == part)
            {
                await cancel.CancelAsync();
                token.ThrowIfCancellationRequested();
            }
        };
        LastProgress progress = new();
        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => UploadAsync(NewClient(o => Configure(o)), options, progress, cancel.Token));
        Assert.Equal(cancel.Token, e.CancellationToken);
        return progress.Value;
    }

    private Task<UploadResult> AgainAsync(UploadOptions? options = null, Func<S3Call, CancellationToken, Task>? before = null)
    {
        S3.Calls.Clear();
        S3.Before = before;
        return UploadAsync(NewClient(o => o.StateDirectory = State), options);
    }

    // Upload one part at a time, so that it is known which parts were stored.
    private void Configure(TransferClientOptions options, int attempts = 1) => (options.StateDirectory, options.MaxUploadConcurrency, options.MaxAttempts) = (State, 1, attempts);

    private Task<UploadResult> UploadAsync(
        TransferClient client, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.UploadAsync(Folder.File("source"), FakeS3.Bucket, FakeS3.Key, options, progress, cancellationToken).Within();

    private sealed class LastProgress : IProgress<TransferProgress>
    {
        public TransferProgress Value { get; private set; }

        public void Report(TransferProgress value) => Value = value;
    }

    private static async Task<PartBody> OpenFilledAsync(PartSet parts)
    {
        PartBody body = await parts.OpenAsync(10, default);
        body.Advance(await body.GetMemoryAsync(default), 10);
        return body;
    }
}
