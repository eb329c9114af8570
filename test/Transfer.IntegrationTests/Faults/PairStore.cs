using Amazon.S3;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>A store of pairs of commands.</summary>
/// <param name="Server">The server.</param>
/// <param name="S3">A client that isn't observed.</param>
internal sealed record PairStore(EmbeddedS3Server Server, AmazonS3Client S3) : IAsyncDisposable
{
    /// <summary>The conditions of writes and deletions.</summary>
    private static readonly ServerAbility[] Conditions =
    [
        ServerAbility.PutIfAbsent, ServerAbility.PutIfMatch, ServerAbility.CompleteIfAbsent, ServerAbility.CompleteIfMatch, ServerAbility.CopyIfAbsent,
        ServerAbility.DeleteIfMatch, ServerAbility.BatchDeleteIfMatch,
    ];

    /// <param name="kind">0 for a store that knows all conditions, 1 for one that ignores those that MinIO ignores, and 2 for one that ignores all of them.</param>
    public static async Task<PairStore> StartAsync(int kind)
    {
        EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions
        {
            Buckets = [CopyPlace.Bucket],
            Ignores = kind switch
            {
                0 => [],
                1 => [ServerAbility.CopyIfAbsent, ServerAbility.DeleteIfMatch, ServerAbility.BatchDeleteIfMatch],
                _ => Conditions,
            },
        }).Within();
        return new PairStore(server, server.CreateClient());
    }

    public async ValueTask DisposeAsync()
    {
        S3.Dispose();
        await Server.DisposeAsync();
    }
}
