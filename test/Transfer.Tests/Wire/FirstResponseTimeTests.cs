using System.Text;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

public sealed class FirstResponseTimeTests : IDisposable
{
    private readonly FakeTimeProvider _time = new();
    private readonly FirstResponseTime _first = new();
    private readonly FakeConnection _connection = new();
    private readonly EarlyResponseStream _stream;

    public FirstResponseTimeTests() => _stream = new EarlyResponseStream(_connection, _first, _time);

    public void Dispose()
    {
        _stream.Dispose();
        _connection.Dispose();
    }

    [Fact]
    public async Task Read_FirstSuccess_IsMeasuredFromTheLastWrite()
    {
        await RequestAsync(3, "HTTP/1.1 206 Partial Content");
        Assert.Equal(TimeSpan.FromMilliseconds(3), _first.Value);

        await RequestAsync(1, "HTTP/1.1 200 OK");
        Assert.Equal(TimeSpan.FromMilliseconds(3), _first.Value);
    }

    [Theory]
    [InlineData("HTTP/1.1 100 Continue")]
    [InlineData("HTTP/1.1 307 Temporary Redirect")]
    [InlineData("HTTP/1.1 403 Forbidden")]
    [InlineData("HTTP/1.1 ")]
    public async Task Read_NotASuccess_IsNotMeasured(string response)
    {
        await RequestAsync(1, response);
        Assert.Null(_first.Value);

        await RequestAsync(20, "HTTP/1.1 200 OK");
        Assert.Equal(TimeSpan.FromMilliseconds(20), _first.Value);
    }

    [Fact]
    public async Task Read_BeginsBeforeTheRequest_IsMeasuredFromTheWrite()
    {
        byte[] buffer = new byte[100];
        ValueTask<int> read = _stream.ReadAsync(buffer);
        _time.Advance(TimeSpan.FromSeconds(1)); // the connection was idle
        await _stream.WriteAsync("GET"u8.ToArray());
        _time.Advance(TimeSpan.FromMilliseconds(2));
        _connection.Receive("HTTP/1.1 200 OK"u8.ToArray());

        Assert.Equal(15, await read);
        Assert.Equal(TimeSpan.FromMilliseconds(2), _first.Value);
    }

    private async Task RequestAsync(int milliseconds, string response)
    {
        await _stream.WriteAsync("GET / HTTP/1.1"u8.ToArray());
        _time.Advance(TimeSpan.FromMinutes(1)); // the body is still being sent
        await _stream.WriteAsync("body"u8.ToArray());
        _time.Advance(TimeSpan.FromMilliseconds(milliseconds));
        _connection.Receive(Encoding.ASCII.GetBytes(response));
        byte[] buffer = new byte[100];
        Assert.Equal(response.Length, await _stream.ReadAsync(buffer));
    }
}
