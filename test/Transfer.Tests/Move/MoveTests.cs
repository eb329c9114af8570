using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Move;

/// <summary>Moves of one object or of many: the source goes last, and only if its copy is whole.</summary>
public sealed class MoveTests : TransferTest
{
    private const string Other = "other";
    private static readonly byte[] Content = Sample.Bytes(10_000);

    public static TheoryData<string> Directions => ["file to store", "store to file", "inside the store", "file to store, many", "store to file, many", "inside the store, many"];

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Source_GoesAfterTheTargetIsThere(string direction)
    {
        Place place = new(direction, this, S3);

        await place.MoveAsync(NewClient(place.S3.Client)).Within();

        Assert.EachEqual((true, false), (place.IsAtTarget, place.IsAtSource));
        Assert.True(S3.Calls.LastOrDefault() is not { Operation: not S3Call.Delete } || direction.StartsWith("file", StringComparison.Ordinal));
    }

    /// <summary>A call that is interrupted before any of its requests, or after it with a lost response, and is then repeated, ends with exactly one whole copy.</summary>
    [Theory]
    [MemberData(nameof(Directions))]
    public async Task Interrupted_AtAnyRequest_AndRepeated_EndsWithOneCopy(string direction)
    {
        int interruptions = 0;
        for (int at = 1; at < 30; at++)
        {
            using TemporaryFolder folder = new();
            FakeS3 s3 = new();
            Place place = new(direction, this, s3, folder);
            using CancellationTokenSource stop = new();
            int boundary = at;
            s3.Before = async (call, token) =>
            {
                if (call.Number == boundary)
                {
                    await stop.CancelAsync();
                    token.ThrowIfCancellationRequested();
                }
            };
            bool isDone = await TryMoveAsync(place, stop.Token);
            Assert.True(place.IsAtSource || place.IsAtTarget, $"{direction}: nothing is left after an interruption at request {at}");
            s3.Before = null;
            interruptions += isDone ? 0 : 1;
            if (place.IsAtSource)
            {
                await place.MoveAsync(NewClient(s3.Client)).Within();
            }

            Assert.EachEqual((true, false), (place.IsAtTarget, place.IsAtSource));
            if (isDone)
            {
                break;
            }
        }

        Assert.InRange(interruptions, 1, 28);
    }

    /// <summary>The move of one name changes the time of the last change of the other ones.</summary>
    [LinuxFact]
    public async Task FileWithSeveralNames_AllAreMoved()
    {
        Directory.CreateDirectory(Folder.File("in"));
        string[] names = ["a", "b", "c"];
        File.WriteAllBytes(Folder.File("in/a"), Content);
        FileChange.Link(Folder.File("in/a"), Folder.File("in/b"));
        FileChange.Link(Folder.File("in/a"), Folder.File("in/c"));

        await NewClient().UploadDirectoryAsync(Folder.File("in"), FakeS3.Bucket, "out", new DirectoryOptions { DeleteSource = true, SymbolicLinks = SymbolicLinks.Skip }).Within();

        Assert.All(names, name => Assert.Equal(Content, S3.Objects["out/" + name].Content));
        Assert.All(names, name => Assert.False(File.Exists(Folder.File("in/" + name))));
    }

    [Theory]
    [InlineData("store to file")]
    [InlineData("inside the store")]
    [InlineData("store to file, many")]
    [InlineData("inside the store, many")]
    public async Task LostResponseToTheDeletion_IsNoFailure(string direction)
    {
        Place place = new(direction, this, S3);
        int calls = 0;
        S3.AfterDeletion = _ =>
        {
            if (++calls == 1)
            {
                throw new IOException("the connection was reset");
            }
        };

        await place.MoveAsync(NewClient()).Within();

        Assert.EachEqual((true, false, 1), (place.IsAtTarget, place.IsAtSource, calls));
    }

    [Theory]
    [InlineData("store to file")]
    [InlineData("inside the store")]
    [InlineData("store to file, many")]
    [InlineData("inside the store, many")]
    public async Task SourceReplacedBeforeItsDeletion_Remains(string direction)
    {
        Place place = new(direction, this, S3);
        S3.Before = (call, _) =>
        {
            if (call.Operation == S3Call.Delete)
            {
                S3.Objects["in/k"] = new FakeObject(Content[1..], "\"new\"");
            }

            return Task.CompletedTask;
        };

        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => place.MoveAsync(NewClient()).Within());

        Assert.Equal(Content.Length - 1, S3.Objects["in/k"].Content.Length);
        Assert.True(place.IsAtTarget);
    }

    [Theory]
    [InlineData("file to store")]
    [InlineData("file to store, many")]
    public Task FileReplacedBeforeItsDeletion_Remains(string direction)
        => KeepsChangedFileAsync(direction, path => File.Move(Folder.File("other", Content), path, overwrite: true)); // the same size

    /// <summary>The store has the former content, and the file has another one of the same size and last-write time.</summary>
    [LinuxTheory]
    [InlineData("file to store", true)]
    [InlineData("file to store", false)]
    [InlineData("file to store, many", true)]
    [InlineData("file to store, many", false)]
    public Task FileChangedWithItsTimeBeforeItsDeletion_Remains(string direction, bool isRewritten)
        => KeepsChangedFileAsync(direction, path => (isRewritten ? (Change)FileChange.Rewrite : FileChange.Replace)(path, Content)); // other bytes would be found when they are sent

    [Theory]
    [InlineData("store to file")]
    [InlineData("inside the store")]
    public async Task UnverifiedCopy_KeepsTheSource(string direction)
    {
        Place place = new(direction, this, S3);
        S3.Objects["in/k"] = new FakeObject(Content);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => place.MoveAsync(NewClient()).Within());

        Assert.Contains("was kept: the copy is not verified", e.Message, StringComparison.Ordinal);
        Assert.True(place.IsAtSource);
        Assert.Equal(0, S3.GetCount(S3Call.Delete));
    }

    /// <summary>The buckets of the fake store share their objects, as two names of one bucket do.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task SameKeyInTheSameBucketUnderAnotherName_IsRejected(bool many)
    {
        S3.Put("in/k", 10);
        Task move = many
            ? NewClient().CopyTreeAsync(Transfer.S3.Place.InBucket(FakeS3.Bucket, "in"), Transfer.S3.Place.InBucket(Other, "in"), new DirectoryOptions { DeleteSource = true })
            : NewClient().MoveAsync(new(FakeS3.Bucket, "in/k"), new(Other, "in/k"));

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => move.Within());

        Assert.Contains("the same object under two names", e.Message, StringComparison.Ordinal);
        Assert.EachEqual((0, 0), (S3.GetCount(S3Call.Copy), S3.GetCount(S3Call.Delete)));
        Assert.Single(S3.Objects);
    }

    [Fact]
    public async Task ItselfAndParts_AreRejected()
    {
        TransferClient client = NewClient();
        await Assert.ThrowsAsync<ArgumentException>(() => client.MoveAsync(new(FakeS3.Bucket, "k"), new(FakeS3.Bucket, "k")));
        await Assert.ThrowsAsync<ArgumentException>(() => client.MoveAsync(new(FakeS3.Bucket, "k"), new(FakeS3.Bucket, "l"), new CopyOptions { SourceVersionId = "v" }));
        await Assert.ThrowsAsync<ArgumentException>(() => client.MoveAsync(new(FakeS3.Bucket, "k"), client, new(FakeS3.Bucket, "k")));
        await Assert.ThrowsAsync<ArgumentException>(() => client.MoveToFileAsync(FakeS3.Bucket, "k", Folder.File("f"), new DownloadOptions { Verify = false }));
        await Assert.ThrowsAsync<ArgumentException>(() => client.MoveToFileAsync(FakeS3.Bucket, "k", Folder.File("f"), new DownloadOptions { Range = ObjectRange.From(1) }));
        await Assert.ThrowsAsync<ArgumentException>(() => client.MoveToStoreAsync(Folder.File("f"), FakeS3.Bucket, "k", new UploadOptions { Checksum = ChecksumAlgorithm.None }));
        await Assert.ThrowsAsync<ArgumentException>(() => client.UploadDirectoryAsync(Folder.Path, FakeS3.Bucket, "k", new DirectoryOptions { DeleteSource = true }));
        Assert.Empty(S3.Calls);
    }

    [UnixFact]
    public async Task Link_IsNotMoved()
    {
        Folder.File("real", Content);
        File.CreateSymbolicLink(Folder.File("link"), "real");

        await Assert.ThrowsAsync<TransferException>(() => NewClient().MoveToStoreAsync(Folder.File("link"), FakeS3.Bucket, "k").Within());

        Assert.True(File.Exists(Folder.File("link")));
        Assert.Empty(S3.Calls);
    }

    private delegate void Change(string path, ReadOnlySpan<byte> content);

    private async Task KeepsChangedFileAsync(string direction, Action<string> change)
    {
        Place place = new(direction, this, S3);
        S3.Before = (call, _) =>
        {
            if (call.Operation == S3Call.Put)
            {
                change(place.File);
            }

            return Task.CompletedTask;
        };

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => place.MoveAsync(NewClient()).Within());

        Assert.Contains("was kept: it was changed or replaced after it was read", e.Message, StringComparison.Ordinal);
        Assert.True(File.Exists(place.File));
    }

    private async Task<bool> TryMoveAsync(Place place, CancellationToken cancellationToken)
    {
        try
        {
            await place.MoveAsync(NewClient(place.S3.Client), cancellationToken).Within();
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }

    /// <summary>A source and a target.</summary>
    private sealed class Place
    {
        private readonly string _direction;
        private readonly string _folder;

        public Place(string direction, MoveTests test, FakeS3 s3, TemporaryFolder? folder = null)
        {
            folder ??= test.Folder;
            (_direction, S3, _folder) = (direction, s3, Path.Combine(folder.Path, "d"));
            Directory.CreateDirectory(_folder);
            if (FromFile)
            {
                System.IO.File.WriteAllBytes(File, Content);
            }
            else
            {
                s3.Objects["in/k"] = FakeObject.Checked(Content) with { Crc64NvmeInGet = Integrity.CrcOf.Crc64Nvme(Content), LastModified = DateTimeOffset.UnixEpoch };
            }
        }

        public FakeS3 S3 { get; }

        public string File => Path.Combine(_folder, "k");

        public bool IsAtSource => FromFile ? System.IO.File.Exists(File) : S3.Objects.ContainsKey("in/k");

        public bool IsAtTarget => ToFile ? System.IO.File.Exists(File) && System.IO.File.ReadAllBytes(File).SequenceEqual(Content) : S3.Published("out/k")?.SequenceEqual(Content) == true;

        private bool FromFile => _direction.StartsWith("file", StringComparison.Ordinal);

        private bool ToFile => _direction.StartsWith("store to file", StringComparison.Ordinal);

        public Task MoveAsync(TransferClient client, CancellationToken token = default) => _direction switch
        {
            "file to store" => client.MoveToStoreAsync(File, FakeS3.Bucket, "out/k", cancellationToken: token),
            "store to file" => client.MoveToFileAsync(FakeS3.Bucket, "in/k", File, cancellationToken: token),
            "inside the store" => client.MoveAsync(new(FakeS3.Bucket, "in/k"), new(Other, "out/k"), cancellationToken: token),
            "file to store, many" => client.UploadDirectoryAsync(_folder, FakeS3.Bucket, "out", new DirectoryOptions { DeleteSource = true, SymbolicLinks = SymbolicLinks.Skip }, cancellationToken: token),
            "store to file, many" => client.DownloadDirectoryAsync(FakeS3.Bucket, "in", _folder, new DirectoryOptions { DeleteSource = true }, cancellationToken: token),
            _ => client.CopyTreeAsync(Transfer.S3.Place.InBucket(FakeS3.Bucket, "in"), Transfer.S3.Place.InBucket(Other, "out"), new DirectoryOptions { DeleteSource = true }, cancellationToken: token),
        };
    }
}
