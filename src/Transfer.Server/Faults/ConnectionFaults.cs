using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace Transfer.S3.Server.Faults;

/// <summary>Simulates faults of newly accepted connections.</summary>
internal static class ConnectionFaults
{
    // A TLS record that contains a two-byte alert (21): fatal (2), handshake_failure (40). See RFC 8446, sections 5.1 and 6.
    private static readonly byte[] HandshakeFailure = [21, 3, 3, 0, 2, 2, 40];

    /// <summary>Simulates the fault of a connection, if any; false if there is none and the connection must be served.</summary>
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
