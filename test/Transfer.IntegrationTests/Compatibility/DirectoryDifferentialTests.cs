using Amazon.S3.Transfer;

namespace Transfer.S3.IntegrationTests.Compatibility;

/// <summary>Compares the SDK's utility and the adapter for the same calls with whole directories.</summary>
public sealed class DirectoryDifferentialTests : DifferentialTest
{
    private static readonly Dictionary<string, Func<Stage, Task>> Cases = new()
    {
        ["up"] = s => s.Utility.UploadDirectoryAsync(Tree(s), s.Bucket),
        ["up, all levels"] = s => s.Utility.UploadDirectoryAsync(Tree(s), s.Bucket, "*.txt", SearchOption.AllDirectories),
        ["up, synchronous"] = s => Run(() => s.Utility.UploadDirectory(Tree(s), s.Bucket)),
        ["up, all levels, synchronous"] = s => Run(() => s.Utility.UploadDirectory(Tree(s), s.Bucket, "*", SearchOption.AllDirectories)),
        ["up, request"] = s => s.Utility.UploadDirectoryAsync(Up(s)),
        ["up, request, synchronous"] = s => Run(() => s.Utility.UploadDirectory(Up(s))),
        ["up, response"] = async s => Note(s, await s.Utility.UploadDirectoryWithResponseAsync(Tree(s), s.Bucket)),
        ["up, response, all levels"] = async s => Note(s, await s.Utility.UploadDirectoryWithResponseAsync(Tree(s), s.Bucket, "*", SearchOption.AllDirectories)),
        ["up, response, request"] = async s => Note(s, await s.Utility.UploadDirectoryWithResponseAsync(Up(s))),
        ["up, response, synchronous"] = s => Run(() => Note(s, s.Utility.UploadDirectoryWithResponse(Tree(s), s.Bucket))),
        ["up, response, all levels, synchronous"] = s => Run(() => Note(s, s.Utility.UploadDirectoryWithResponse(Tree(s), s.Bucket, "*", SearchOption.AllDirectories))),
        ["up, response, request, synchronous"] = s => Run(() => Note(s, s.Utility.UploadDirectoryWithResponse(Up(s)))),
        ["up, missing folder"] = s => s.Utility.UploadDirectoryAsync(s.File("missing"), s.Bucket),
        ["up, missing bucket"] = s => s.Utility.UploadDirectoryAsync(Tree(s), "no-such-bucket"),
        ["down"] = s => s.Utility.DownloadDirectoryAsync(s.Bucket, "tree", s.File("down")),
        ["down, synchronous"] = s => Run(() => s.Utility.DownloadDirectory(s.Bucket, "tree", s.File("down"))),
        ["down, request"] = s => s.Utility.DownloadDirectoryAsync(Down(s)),
        ["down, request, synchronous"] = s => Run(() => s.Utility.DownloadDirectory(Down(s))),
        ["down, response"] = async s => s.Note($"{(await s.Utility.DownloadDirectoryWithResponseAsync(s.Bucket, "tree", s.File("down"))).ObjectsDownloaded}"),
        ["down, response, request"] = async s => s.Note($"{(await s.Utility.DownloadDirectoryWithResponseAsync(Down(s))).ObjectsDownloaded}"),
        ["down, response, synchronous"] = s => Run(() => s.Note($"{s.Utility.DownloadDirectoryWithResponse(s.Bucket, "tree", s.File("down")).ObjectsDownloaded}")),
        ["down, response, request, synchronous"] = s => Run(() => s.Note($"{s.Utility.DownloadDirectoryWithResponse(Down(s)).ObjectsDownloaded}")),
        ["up, empty folder"] = async s => Note(s, await s.Utility.UploadDirectoryWithResponseAsync(Directory.CreateDirectory(s.File("empty")).FullName, s.Bucket)),
        ["up, null folder"] = s => s.Utility.UploadDirectoryAsync(null, s.Bucket),
        ["up, null bucket"] = s => s.Utility.UploadDirectoryAsync(Tree(s), null),
        ["up, a file instead of a folder"] = s => s.Utility.UploadDirectoryAsync(s.NewFile("file", 1), s.Bucket),
        ["up, slash after the folder"] = s => s.Utility.UploadDirectoryAsync(Tree(s) + "/", s.Bucket, "*", SearchOption.AllDirectories),
        ["up, a pattern for a single character"] = s => s.Utility.UploadDirectoryAsync(Tree(s), s.Bucket, "?.txt", SearchOption.AllDirectories),
        ["up, a pattern with a folder"] = s => s.Utility.UploadDirectoryAsync(Tree(s), s.Bucket, "below/*", SearchOption.TopDirectoryOnly),
        ["up, an invalid pattern"] = s => s.Utility.UploadDirectoryAsync(Tree(s), s.Bucket, "../*", SearchOption.TopDirectoryOnly),
        ["up, every prefix"] = async s =>
        {
            foreach (string prefix in new[] { "a/", "/b", "c\\d", "e/f" })
            {
                await s.Utility.UploadDirectoryAsync(new TransferUtilityUploadDirectoryRequest { BucketName = s.Bucket, Directory = Tree(s), KeyPrefix = prefix });
            }
        },
        ["up, links"] = s =>
        {
            string tree = Tree(s);
            Directory.CreateSymbolicLink(s.File("up/link"), s.File("up/below"));
            File.CreateSymbolicLink(s.File("up/d.txt"), s.File("up/a.txt"));
            return s.Utility.UploadDirectoryAsync(tree, s.Bucket, "*", SearchOption.AllDirectories);
        },
        ["up, options"] = async s =>
        {
            await s.Utility.UploadDirectoryAsync(WithOptions(Up(s)));
            Amazon.S3.Model.GetObjectMetadataResponse head = await s.S3.GetObjectMetadataAsync(s.Bucket, "prefix/below/c.txt");
            Amazon.S3.Model.GetObjectTaggingResponse tags = await s.S3.GetObjectTaggingAsync(new() { BucketName = s.Bucket, Key = "prefix/below/c.txt" });
            s.Note($"{head.StorageClass} {head.ServerSideEncryptionMethod} {string.Join(',', tags.Tagging.Select(tag => $"{tag.Key}={tag.Value}"))}");
        },
        ["up, an access control list that the bucket rejects"] = s => UpAsync(s, request => request.CannedACL = Amazon.S3.S3CannedACL.PublicRead),
        ["up, a file that is open for writing"] = async s =>
        {
            string tree = Tree(s);
            using FileStream writer = new(Directory.GetFiles(tree).Order(StringComparer.Ordinal).First(), FileMode.Open, FileAccess.Write, FileShare.None);
            Note(s, await s.Utility.UploadDirectoryWithResponseAsync(new TransferUtilityUploadDirectoryRequest
            {
                Directory = tree,
                BucketName = s.Bucket,
                FailurePolicy = Amazon.S3.Transfer.FailurePolicy.ContinueOnFailure,
            }));
        },
        ["up, canceled"] = s => UpAsync(s, token: new CancellationToken(canceled: true)),
        ["up, events"] = s => UpAsync(s),
        ["up, events, concurrent"] = s => UpAsync(s, request => request.UploadFilesConcurrently = true),
        ["up, progress"] = s => UpAsync(s, awaitsProgress: true),
        ["up, progress, concurrent"] = s => UpAsync(s, request => request.UploadFilesConcurrently = true, awaitsProgress: true),
        ["up, each file's request changed"] = s => UpAsync(s, request => request.UploadDirectoryFileRequestEvent += (_, e) =>
        {
            e.UploadRequest.Key = "changed/" + Path.GetFileName(e.UploadRequest.FilePath);
            e.UploadRequest.ContentType = "text/x-changed";
            e.UploadRequest.UploadCompletedEvent += (_, completed) => s.Note($"completed {completed.TotalBytes}");
        }),
        ["up, each file's listener throws"] = s => UpAsync(s, request => request.UploadDirectoryFileRequestEvent += (_, _) => throw new InvalidOperationException("of the listener's")),
        ["up, one fails"] = s => UpAsync(s, request => FailOne(request, "b.bin")),
        ["up, one fails and the others continue"] = s => UpAsync(
            s,
            request =>
            {
                FailOne(request, "b.bin");
                request.FailurePolicy = Amazon.S3.Transfer.FailurePolicy.ContinueOnFailure;
            }),
        ["up, all fail"] = s => UpAsync(
            s,
            request =>
            {
                FailOne(request, string.Empty);
                request.FailurePolicy = Amazon.S3.Transfer.FailurePolicy.ContinueOnFailure;
            }),
        ["up, one file with an option that only the SDK supports"] = s => UpAsync(
            s, request => request.UploadDirectoryFileRequestEvent += (_, e) => e.UploadRequest.WebsiteRedirectLocation = "/other"),
        ["down, empty"] = async s => Note(s, await s.Utility.DownloadDirectoryWithResponseAsync(s.Bucket, "nothing", s.File("down"))),
        ["down, all"] = s => s.Utility.DownloadDirectoryAsync(s.Bucket, "/", s.File("down")),
        ["down, every prefix"] = async s =>
        {
            foreach (string prefix in new[] { "tree/", "/tree", "tree\\below", "tre" })
            {
                await s.Utility.DownloadDirectoryAsync(s.Bucket, prefix, s.File("down"));
            }
        },
        ["down, every prefix unchanged"] = async s =>
        {
            foreach (string prefix in new[] { "tree/", "tr", "tree/b", "/tree/below" })
            {
                await s.Utility.DownloadDirectoryAsync(
                    new TransferUtilityDownloadDirectoryRequest { BucketName = s.Bucket, S3Directory = prefix, LocalDirectory = s.File("down"), DisableSlashCorrection = true });
            }
        },
        ["down, null bucket"] = s => s.Utility.DownloadDirectoryAsync(null, "tree", s.File("down")),
        ["down, null prefix"] = s => s.Utility.DownloadDirectoryAsync(s.Bucket, null, s.File("down")),
        ["down, null folder"] = s => s.Utility.DownloadDirectoryAsync(s.Bucket, "tree", null),
        ["down, slash after the folder"] = s => s.Utility.DownloadDirectoryAsync(s.Bucket, "tree", s.File("down/")),
        ["down, a folder marker"] = async s =>
        {
            await s.NewObjectAsync("tree/folder/", 0);
            await DownAsync(s);
        },
        ["down, modified since"] = s => DownAsync(s, request => request.ModifiedSinceDate = DateTime.UtcNow.AddDays(1)),
        ["down, modified since long ago"] = s => DownAsync(s, request => request.ModifiedSinceDate = DateTime.Now.AddDays(-1)),
        ["down, unmodified since"] = s => DownAsync(s, request => request.UnmodifiedSinceDate = DateTime.UtcNow.AddDays(1)),
        ["down, unmodified since long ago"] = s => DownAsync(s, request => request.UnmodifiedSinceDate = DateTime.Now.AddDays(-1)),
        ["down, if match, different"] = s => DownAsync(
            s,
            request =>
            {
                request.IfMatch = "\"0123456789abcdef0123456789abcdef\"";
                request.FailurePolicy = Amazon.S3.Transfer.FailurePolicy.ContinueOnFailure;
            }),
        ["down, canceled"] = s => DownAsync(s, token: new CancellationToken(canceled: true)),
        ["down, events"] = s => DownAsync(s),
        ["down, events, concurrent"] = s => DownAsync(s, request => request.DownloadFilesConcurrently = true),
        ["down, events, response"] = s => DownAsync(s, hasResponse: true),
        ["down, events, missing bucket"] = s => DownAsync(s, request => request.BucketName = "no-such-bucket"),
        ["down, events, no prefix"] = s => DownAsync(s, request => request.S3Directory = null),
        ["down, progress"] = s => DownAsync(s, awaitsProgress: true),
        ["down, progress, concurrent"] = s => DownAsync(s, request => request.DownloadFilesConcurrently = true, awaitsProgress: true),
        ["down, each file's request changed"] = s => DownAsync(s, request => request.DownloadDirectoryFileRequestEvent += (_, e) =>
        {
            e.DownloadRequest.FilePath += ".changed";
            e.DownloadRequest.DownloadCompletedEvent += (_, completed) => s.Note($"completed {completed.TotalBytes}");
        }),
        ["down, each file redirected to the outside"] = s => DownAsync(
            s,
            request =>
            {
                request.DownloadDirectoryFileRequestEvent += (_, e) => e.DownloadRequest.FilePath = s.File("outside");
                request.FailurePolicy = Amazon.S3.Transfer.FailurePolicy.ContinueOnFailure;
            }),
        ["down, one fails"] = s => DownAsync(s, request => FailOne(request, "b.txt")),
        ["down, one fails, response"] = s => DownAsync(s, request => FailOne(request, "b.txt"), hasResponse: true),
        ["down, one fails and the others continue"] = s => DownAsync(
            s,
            request =>
            {
                FailOne(request, "a.txt");
                request.FailurePolicy = Amazon.S3.Transfer.FailurePolicy.ContinueOnFailure;
            },
            hasResponse: true),
        ["down, one file with an option that only the SDK supports"] = s => DownAsync(
            s, request => request.DownloadDirectoryFileRequestEvent += (_, e) => e.DownloadRequest.ResponseHeaderOverrides.ContentType = "text/x-other"),
        ["down, keys outside the folder"] = async s =>
        {
            await s.NewObjectAsync("tree/b/../../out", 10);
            await s.NewObjectAsync("tree//root", 10);
            await DownAsync(s, request => request.FailurePolicy = Amazon.S3.Transfer.FailurePolicy.ContinueOnFailure, hasResponse: true);
        },
        ["down, a key outside the folder stops the download"] = async s =>
        {
            await s.NewObjectAsync("tree/b/../../out", 10);
            await DownAsync(s);
        },
        ["down, keys with dots and double slashes"] = async s =>
        {
            await s.NewObjectAsync("tree/x/../y", 10);
            await s.NewObjectAsync("tree/z//./w", 10);
            await DownAsync(s);
        },
        ["down, missing bucket"] = s => s.Utility.DownloadDirectoryAsync("no-such-bucket", "tree", s.File("down")),
    };

    public static TheoryData<string> CaseNames => Sample(Cases.Keys);

    [Theory]
    [MemberData(nameof(CaseNames))]
    public Task Directories_HaveTheSameResult(string name) => AssertSameAsync(
        Cases[name],
        async s =>
        {
            await s.NewObjectAsync("tree/a.txt", 10);
            await s.NewObjectAsync("tree/below/b.txt", 20);
            await s.NewObjectAsync("other/c.txt", 30);
        });

    private static async Task UpAsync(
        Stage s, Action<TransferUtilityUploadDirectoryRequest>? change = null, bool awaitsProgress = false, CancellationToken token = default)
    {
        TransferUtilityUploadDirectoryRequest request = Up(s);
        Notes notes = new(s);
        request.UploadDirectoryInitiatedEvent += (_, e) => s.Note($"initiated {e.Request == request} {e.TotalFiles} {e.TotalBytes}");
        request.UploadDirectoryCompletedEvent += (_, e) => notes.End($"completed {e.Response.Result} {e.TransferredFiles}/{e.TotalFiles} {e.TotalBytes}");
        request.UploadDirectoryFailedEvent += (_, e) => notes.End($"failed {e.TransferredFiles}/{e.TotalFiles} {e.TotalBytes}");
        request.ObjectUploadFailedEvent += (_, e) => notes.Add($"failed {e.ObjectRequest.Key} {e.Exception.GetType().Name} {e.Exception.Message}");
        request.UploadDirectoryFileRequestEvent += (_, e) => notes.Add($"file {e.UploadRequest.Key} {e.UploadRequest.FilePath}");
        TaskCompletionSource told = new(TaskCreationOptions.RunContinuationsAsynchronously);
        if (awaitsProgress)
        {
            request.UploadDirectoryProgressEvent += (_, e) =>
            {
                notes.Add($"progress {e.TransferredBytesForCurrentFile}/{e.TotalNumberOfBytesForCurrentFile} of {e.CurrentFile}");
                if (e.NumberOfFilesUploaded == 3)
                {
                    notes.Add($"progress of all {e.NumberOfFilesUploaded}/{e.TotalNumberOfFiles} {e.TransferredBytes}/{e.TotalBytes}");
                    told.TrySetResult();
                }
            };
        }

        change?.Invoke(request);
        await notes.TellAsync(async () => Note(s, await s.Utility.UploadDirectoryWithResponseAsync(request, token)), awaitsProgress ? told.Task : Task.CompletedTask);
    }

    private static async Task DownAsync(
        Stage s,
        Action<TransferUtilityDownloadDirectoryRequest>? change = null,
        bool awaitsProgress = false,
        bool hasResponse = false,
        CancellationToken token = default)
    {
        TransferUtilityDownloadDirectoryRequest request = Down(s);
        request.S3Directory = "tree";
        Notes notes = new(s);
        request.DownloadDirectoryInitiatedEvent += (_, e) => s.Note($"initiated {e.Request == request}");
        request.DownloadDirectoryCompletedEvent += (_, e) => notes.End($"completed {e.Response.Result} {e.TransferredFiles}/{e.TotalFiles} {e.TotalBytes}");
        request.DownloadDirectoryFailedEvent += (_, e) => notes.End($"failed {e.TransferredFiles}/{e.TotalFiles} {e.TotalBytes}");
        request.ObjectDownloadFailedEvent += (_, e) => notes.Add($"failed {e.ObjectRequest.Key} {e.Exception.GetType().Name} {e.Exception.Message}");
        request.DownloadDirectoryFileRequestEvent += (_, e) => notes.Add($"file {e.DownloadRequest.Key} {e.DownloadRequest.FilePath}");
        TaskCompletionSource told = new(TaskCreationOptions.RunContinuationsAsynchronously);
        if (awaitsProgress)
        {
            request.DownloadedDirectoryProgressEvent += (_, e) =>
            {
                notes.Add($"progress {e.TransferredBytesForCurrentFile}/{e.TotalNumberOfBytesForCurrentFile}");
                if (e.NumberOfFilesDownloaded == 2)
                {
                    notes.Add($"progress of all {e.NumberOfFilesDownloaded}/{e.TotalNumberOfFiles} {e.TransferredBytes}/{e.TotalBytes}");
                    told.TrySetResult();
                }
            };
        }

        change?.Invoke(request);
        await notes.TellAsync(
            async () =>
            {
                if (hasResponse)
                {
                    Note(s, await s.Utility.DownloadDirectoryWithResponseAsync(request, token));
                }
                else
                {
                    await s.Utility.DownloadDirectoryAsync(request, token);
                }
            },
            awaitsProgress ? told.Task : Task.CompletedTask);
    }

    private static void FailOne(TransferUtilityUploadDirectoryRequest request, string name) => request.UploadDirectoryFileRequestEvent += (_, e) =>
    {
        if (name.Length == 0 || Path.GetFileName(e.UploadRequest.FilePath) == name)
        {
            e.UploadRequest.BucketName = "no-such-bucket";
        }
    };

    private static void FailOne(TransferUtilityDownloadDirectoryRequest request, string name) => request.DownloadDirectoryFileRequestEvent += (_, e) =>
    {
        if (Path.GetFileName(e.DownloadRequest.FilePath) == name)
        {
            e.DownloadRequest.Key = "missing";
        }
    };

    private static TransferUtilityUploadDirectoryRequest WithOptions(TransferUtilityUploadDirectoryRequest request)
    {
        request.ContentType = "text/x-own";
        request.StorageClass = Amazon.S3.S3StorageClass.StandardInfrequentAccess;
        request.TagSet = [new Amazon.S3.Model.Tag { Key = "kind", Value = "case" }];
        request.Metadata["colour"] = "green";
        request.Headers.CacheControl = "max-age=8";
        request.ServerSideEncryptionMethod = Amazon.S3.ServerSideEncryptionMethod.AES256;
        request.ChecksumAlgorithm = Amazon.S3.ChecksumAlgorithm.CRC32;
        return request;
    }

    private static string Tree(Stage s)
    {
        Directory.CreateDirectory(s.File("up/below"));
        s.NewFile("up/a.txt", 10);
        s.NewFile("up/b.bin", 20);
        s.NewFile("up/below/c.txt", 30);
        return s.File("up");
    }

    private static TransferUtilityUploadDirectoryRequest Up(Stage s)
        => new() { BucketName = s.Bucket, Directory = Tree(s), KeyPrefix = "prefix", SearchOption = SearchOption.AllDirectories };

    private static TransferUtilityDownloadDirectoryRequest Down(Stage s) => new() { BucketName = s.Bucket, S3Directory = "tree/below", LocalDirectory = s.File("down") };

    private static void Note(Stage s, TransferUtilityUploadDirectoryResponse response)
        => s.Note($"{response.ObjectsUploaded} {response.ObjectsFailed} {response.Result} {Errors(response.Errors)}");

    private static void Note(Stage s, TransferUtilityDownloadDirectoryResponse response)
        => s.Note($"{response.ObjectsDownloaded} {response.ObjectsFailed} {response.Result} {Errors(response.Errors)}");

    private static string Errors(IList<Exception> errors) => string.Join(';', errors.Select(e => $"{e.GetType().Name} {e.Message}").Order(StringComparer.Ordinal));

    private static Task Run(Action call)
    {
        call();
        return Task.CompletedTask;
    }

    /// <summary>Records the events of files, which can occur in any order.</summary>
    private sealed class Notes(Stage s)
    {
        private readonly System.Collections.Concurrent.ConcurrentQueue<string> _files = new();
        private readonly System.Collections.Concurrent.ConcurrentQueue<string> _ends = new();

        public void Add(string note) => _files.Enqueue(note);

        public void End(string note) => _ends.Enqueue(note);

        public async Task TellAsync(Func<Task> call, Task told)
        {
            try
            {
                await call();
                await told.WaitAsync(TimeSpan.FromSeconds(10));
            }
            finally
            {
                foreach (string note in _files.Order(StringComparer.Ordinal).Concat(_ends))
                {
                    s.Note(note);
                }
            }
        }
    }
}
