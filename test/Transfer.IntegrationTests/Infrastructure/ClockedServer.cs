using System.Runtime.CompilerServices;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>
/// Starts embedded servers with the clock of a test, each at an address of its own. The SDK remembers for the whole process how wrong the clock at
/// an address and port is. A later server of another test can get the same port, and would refuse the requests that the SDK signs with that time.
/// </summary>
/// <remarks>BannedSymbols.txt bans <c>EmbeddedS3ServerOptions.TimeProvider</c>, so that no test starts such a server in another way.</remarks>
internal static class ClockedServer
{
    public static Task<EmbeddedS3Server> StartAsync(TimeProvider clock, EmbeddedS3ServerOptions options)
    {
        SetTimeProvider(options, clock);
        SetHost(options, LoopbackAddress.Next());
        return EmbeddedS3Server.StartAsync(options).Within();
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "set_TimeProvider")]
    private static extern void SetTimeProvider(EmbeddedS3ServerOptions options, TimeProvider clock);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "set_Host")]
    private static extern void SetHost(EmbeddedS3ServerOptions options, string host);
}
