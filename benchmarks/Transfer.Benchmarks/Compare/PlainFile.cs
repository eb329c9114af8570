using System.Net;
using System.Net.Sockets;
using System.Text;
using Amazon.S3;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The minimum cost of an upload of a file: requests that send its bytes without computing anything from them.</summary>
internal static class PlainFile
{
    /// <summary>The bytes that one system call sends. Smaller pieces need more calls, and larger ones save nothing.</summary>
    private const int PieceBytes = 256 * 1024;

    /// <summary>Reads the file into one small buffer for each connection, and sends it.</summary>
    public static Task PutAsync(Workbench bench) => PlainHttp.ForRangesAsync(bench, PlainHttp.DefaultConnections, PlainHttp.DefaultRangeBytes, async (address, offset, length, buffer) =>
    {
        using FileStream file = Open(bench);
        using HttpRequestMessage request = new(HttpMethod.Put, address) { Content = new FileRangeContent(file, offset, length, buffer) };
        using HttpResponseMessage response = await PlainHttp.Client.Value.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        response.EnsureSuccessStatusCode();
    }, HttpVerb.PUT, "plain");

    /// <summary>Lets the system send the file, so that no byte of it is copied to the process. Requires HTTP without TLS.</summary>
    public static Task SendFileAsync(Workbench bench) => PlainHttp.ForRangesAsync(bench, PlainHttp.DefaultConnections, PlainHttp.DefaultRangeBytes, async (address, offset, length, buffer) =>
    {
        using FileStream file = Open(bench);
        using Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(address.Host, address.Port);
        string head = $"PUT {address.PathAndQuery} HTTP/1.1\r\nHost: {address.Authority}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n";
        await socket.SendAsync(Encoding.ASCII.GetBytes(head));
        for (long at = 0; at < length; at += PieceBytes)
        {
            await SendPieceAsync(socket, file, offset + at, (int)Math.Min(PieceBytes, length - at));
        }

        int count = await socket.ReceiveAsync(buffer);
        if (!buffer.AsSpan(0, count).StartsWith("HTTP/1.1 200 "u8))
        {
            throw new InvalidDataException($"The server responded with '{Encoding.ASCII.GetString(buffer, 0, count)}'.");
        }
    }, HttpVerb.PUT, "plain");

    private static FileStream Open(Workbench bench) => new(bench.Source, new FileStreamOptions { BufferSize = 0, Options = FileOptions.Asynchronous, Share = FileShare.ReadWrite });

    private static async Task SendPieceAsync(Socket socket, FileStream file, long offset, int count)
    {
        TaskCompletionSource<SocketError> sent = new();
        using SocketAsyncEventArgs piece = new() { SendPacketsElements = [new SendPacketsElement(file, offset, count)] };
        piece.Completed += (_, done) => sent.SetResult(done.SocketError);
        SocketError error = socket.SendPacketsAsync(piece) ? await sent.Task : piece.SocketError;
        if (error != SocketError.Success || piece.BytesTransferred != count)
        {
            throw new SocketException((int)error, $"{piece.BytesTransferred} of {count} bytes were sent.");
        }
    }

    private sealed class FileRangeContent(FileStream file, long offset, long length, byte[] buffer) : HttpContent
    {
        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            for (long at = 0; at < length;)
            {
                int count = RandomAccess.Read(file.SafeFileHandle, buffer.AsSpan(0, (int)Math.Min(buffer.Length, length - at)), offset + at);
                await stream.WriteAsync(buffer.AsMemory(0, count));
                at += count > 0 ? count : throw new EndOfStreamException($"The file ended at byte {offset + at}.");
            }
        }

        protected override bool TryComputeLength(out long bytes)
        {
            bytes = length;
            return true;
        }
    }
}
