using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.ExceptionServices;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>Every operation of <see cref="ITransferClient"/>, in each of its forms.</summary>
internal static class FaultOperations
{
    private const string Key = "a key/ü";

    /// <summary>Disables resuming, because state for a later transfer is left on purpose. Other tests cover it.</summary>
    private static readonly DownloadOptions AllOrNothing = new() { Resume = false };
    private static readonly CopyOptions CopyInParts = new() { MultipartThresholdBytes = FaultStage.Part, PartSizeBytes = FaultStage.Part };
    private static readonly Dictionary<string, byte[]> Tree = new() { ["a"] = FaultStage.Small, ["b/c"] = FaultStage.Small[..1000], ["b/empty"] = [] };
    private static readonly Dictionary<string, byte[]> LargeTree = new(Tree) { ["large"] = FaultStage.Large };

    public static IReadOnlyList<FaultOperation> All { get; } =
    [
        new("OpenRead stream", StoreSmallAsync, static async stage =>
        {
            await using ObjectReadStream stream = await stage.Client.OpenReadAsync(stage.Bucket, Key);
            MemoryStream read = new();
            await stream.CopyToAsync(read);
            AssertSmall(read.ToArray());
        }),
        new("OpenRead reader", StoreSmallAsync, static async stage =>
        {
            await using ObjectReadStream stream = await stage.Client.OpenReadAsync(stage.Bucket, Key);
            MemoryStream read = new();
            await stream.Reader.CopyToAsync(read);
            AssertSmall(read.ToArray());
        }),
        new("Download to a file", StoreSmallAsync, static async stage =>
        {
            await stage.Client.DownloadAsync(stage.Bucket, Key, Path.Combine(stage.Target, "file"), AllOrNothing);
            stage.AssertFiles(new Dictionary<string, byte[]> { ["file"] = FaultStage.Small });
        }),
        new("Download of known size to a file", StoreSmallAsync, static async stage =>
        {
            await stage.Client.DownloadAsync(stage.Bucket, Key, Path.Combine(stage.Target, "file"), AllOrNothing with { Hint = new ObjectHint { Length = FaultStage.Small.Length } });
            stage.AssertFiles(new Dictionary<string, byte[]> { ["file"] = FaultStage.Small });
        }),
        new("Download to a stream", StoreSmallAsync, static async stage =>
        {
            MemoryStream target = new();
            await stage.Client.DownloadAsync(stage.Bucket, Key, target);
            AssertSmall(target.ToArray());
        }),
        new("Download to a pipe", StoreSmallAsync, static async stage =>
        {
            Pipe pipe = new();
            MemoryStream target = new();
            Task drain = pipe.Reader.CopyToAsync(target);
            try
            {
                await stage.Client.DownloadAsync(stage.Bucket, Key, pipe.Writer);
            }
            finally
            {
                await pipe.Writer.CompleteAsync();
                await drain;
            }

            AssertSmall(target.ToArray());
        }),
        Upload("a file", static stage => stage.Client.UploadAsync(stage.SourceFile("file", FaultStage.Large), stage.Bucket, Key)),
        Upload("a stream", static stage => stage.Client.UploadAsync(new MemoryStream(FaultStage.Large), stage.Bucket, Key)),
        Upload("a pipe", static stage => stage.Client.UploadAsync(PipeReader.Create(new MemoryStream(FaultStage.Large)), stage.Bucket, Key)),
        Upload("memory", static stage => stage.Client.UploadAsync(new ReadOnlySequence<byte>(FaultStage.Large), stage.Bucket, Key)),
        new("Upload in one PUT", Nothing, static async stage =>
        {
            await stage.Client.UploadAsync(new ReadOnlySequence<byte>(FaultStage.Small), stage.Bucket, Key);
            await stage.AssertStoredAsync(new Dictionary<string, byte[]> { [Key] = FaultStage.Small });
        }),
        new("OpenWrite", Nothing, static async stage =>
        {
            await using ObjectWriteStream stream = await stage.Client.OpenWriteAsync(stage.Bucket, Key);
            await stream.WriteAsync(FaultStage.Large);
            await stream.CompleteAsync();
            await stage.AssertStoredAsync(new Dictionary<string, byte[]> { [Key] = FaultStage.Large });
        }),
        new("Copy", StoreSmallAsync, static async stage =>
        {
            await stage.Client.CopyAsync(new(stage.Bucket, Key), new(stage.Bucket, "copy"));
            await stage.AssertStoredAsync(new Dictionary<string, byte[]> { [Key] = FaultStage.Small, ["copy"] = FaultStage.Small });
        })
        {
            BeginsWithHead = true,
        },
        new("Copy in parts", static stage => stage.StoreAsync(Key, FaultStage.Large), static async stage =>
        {
            await stage.Client.CopyAsync(new(stage.Bucket, Key), new(stage.Bucket, "copy"), CopyInParts);
            await stage.AssertStoredAsync(new Dictionary<string, byte[]> { [Key] = FaultStage.Large, ["copy"] = FaultStage.Large });
        })
        {
            BeginsWithHead = true,
        },
        new("Verify", StoreSmallAsync, static async stage =>
        {
            string path = stage.SourceFile("file", FaultStage.Small);
            VerifyResult result = await stage.Client.VerifyAsync(path, stage.Bucket, Key);
            Assert.True(result.IsSame, result.Difference);
        })
        {
            BeginsWithHead = true,
        },
        new("AbortUploads", static stage => stage.BeginUploadAsync(Key), static async stage =>
        {
            AbortUploadsResult result = await stage.Client.AbortUploadsAsync(stage.Bucket, string.Empty);
            ThrowFirst(result.Failures.Select(static failure => failure.Error));
            Assert.Equal(0, await stage.CountOpenUploadsAsync());
        })
        {
            FindsUploads = true,
        },
        new("DownloadDirectory", StoreTreeAsync, static async stage =>
        {
            DirectoryResult result = await stage.Client.DownloadDirectoryAsync(stage.Bucket, "tree", stage.Target, new DirectoryOptions { Download = AllOrNothing });
            ThrowFirst(result.Failures.Select(static failure => failure.Error));
            stage.AssertFiles(Tree);
        })
        {
            MayLeave = Tree,
        },
        new("UploadDirectory", Nothing, static async stage =>
        {
            WriteTree(stage, LargeTree);
            DirectoryResult result = await stage.Client.UploadDirectoryAsync(stage.Source, stage.Bucket, "tree");
            ThrowFirst(result.Failures.Select(static failure => failure.Error));
            await stage.AssertStoredAsync(Below("tree/", LargeTree));
        }),
        new("CopyDirectory", StoreTreeAsync, static async stage =>
        {
            DirectoryResult result = await stage.Client.CopyTreeAsync(Place.InBucket(stage.Bucket, "tree"), Place.InBucket(stage.Bucket, "copy"));
            ThrowFirst(result.Failures.Select(static failure => failure.Error));
            await stage.AssertStoredAsync(Below("copy/", Tree).Concat(Below("tree/", Tree)).ToDictionary());
        })
        {
            BeginsWithHead = true,
        },
        new("VerifyDirectory", StoreTreeAsync, static async stage =>
        {
            WriteTree(stage, Tree);
            DirectoryResult result = await stage.Client.VerifyTreeAsync(Place.InDirectory(stage.Source), Place.InBucket(stage.Bucket, "tree"));
            ThrowFirst(result.Failures.Select(static difference => difference.Error));
            Assert.True(result.Counts.IsComplete, string.Join("; ", result.Failures));
        }),
    ];

    private static FaultOperation Upload(string what, Func<FaultStage, Task> upload) => new($"Upload from {what}", Nothing, async stage =>
    {
        await upload(stage);
        await stage.AssertStoredAsync(new Dictionary<string, byte[]> { [Key] = FaultStage.Large });
    });

    private static Task Nothing(FaultStage stage) => Task.CompletedTask;

    private static Task StoreSmallAsync(FaultStage stage) => stage.StoreAsync(Key, FaultStage.Small);

    private static async Task StoreTreeAsync(FaultStage stage)
    {
        foreach ((string key, byte[] content) in Below("tree/", Tree))
        {
            await stage.StoreAsync(key, content);
        }
    }

    private static void WriteTree(FaultStage stage, Dictionary<string, byte[]> tree)
    {
        foreach ((string name, byte[] content) in tree)
        {
            stage.SourceFile(name, content);
        }
    }

    private static Dictionary<string, byte[]> Below(string prefix, Dictionary<string, byte[]> tree) => tree.ToDictionary(file => prefix + file.Key, static file => file.Value);

    private static void AssertSmall(byte[] read) => Assert.True(read.AsSpan().SequenceEqual(FaultStage.Small), "the bytes that were read are wrong");

    /// <summary>Throws the first failure of an operation on many objects, which reports failures instead of throwing them.</summary>
    private static void ThrowFirst(IEnumerable<Exception?> failures)
    {
        if (failures.FirstOrDefault(static failure => failure is not null) is { } first)
        {
            ExceptionDispatchInfo.Throw(first);
        }
    }
}
