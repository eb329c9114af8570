using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace Transfer.Server.Faults;

/// <summary>What faults do to a connection that was just accepted.</summary>
internal static class ConnectionFaults
{
    // A TLS record: an alert (21) of two bytes, fatal (2), handshake_failure (40). RFC 8446, 5.1 and 6.
    private static readonly byte[] HandshakeFailure = [21, 3, 3, 0, 2, 2, 40];

    /// <summary>Lets the connection meet its fault; false when there is none, and it is to be served.</summary>
    public static async ValueTask<bool> StrikeAsync(FaultInjector injector, ConnectionContext connection)
    {
        switch (injector.ForConnection())
        {
            case ServerFault.RefuseConnection:
                connection.Abort(RequestFault.Reset());
                return true;
            case ServerFault.FailHandshake:
                ReadResult hello = await connection.Transport.Input.ReadAsync().ConfigureAwait(false);
                connection.Transport.Input.AdvanceTo(hello.Buffer.End);
                await connection.Transport.Output.WriteAsync(HandshakeFailure).ConfigureAwait(false);
                return true;
            default:
                return false;
        }
    }
}
