using System.Net;
using System.Net.Sockets;
using Transfer.Tests.Infrastructure;
using Transfer.Wire.Http;

namespace Transfer.Tests.Wire;

public class AddressConnectorTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly List<string> _tried = [];
    private readonly HashSet<string> _down = [];
    private readonly HashSet<string> _silent = [];
    private string[] _addresses = ["10.0.0.1", "10.0.0.2", "fd00::3"];
    private int _resolved;

    [Fact]
    public async Task Connections_GoToEveryAddressInTurn()
    {
        await ConnectAsync(6);

        Assert.Equal(["10.0.0.1", "10.0.0.2", "fd00::3", "10.0.0.1", "10.0.0.2", "fd00::3"], _tried);
    }

    [Fact]
    public async Task NameServerThatShuffles_StillGivesEveryAddressItsTurn()
    {
        AddressConnector connector = Connector();
        for (int i = 0; i < 6; i++)
        {
            Array.Reverse(_addresses);
            await ConnectAsync(connector);
        }

        Assert.All(_tried.GroupBy(address => address), turns => Assert.Equal(2, turns.Count()));
        Assert.Equal(6, _resolved); // asked each time, so that new addresses are seen
    }

    [Fact]
    public async Task AddressThatRefuses_IsPassedOver_AndAskedLastForAWhile()
    {
        _down.Add("10.0.0.1");
        AddressConnector connector = Connector();

        await ConnectAsync(connector, 4);
        Assert.Equal(["10.0.0.1", "10.0.0.2", "fd00::3", "10.0.0.2", "fd00::3"], _tried);

        _tried.Clear();
        _down.Clear();
        _time.Advance(AddressTurns.Memory);
        await ConnectAsync(connector);
        Assert.Equal(["10.0.0.1"], _tried);
    }

    [Fact]
    public async Task AddressThatIsSilent_IsGivenUpForTheNext()
    {
        _silent.Add("10.0.0.1");
        Task connecting = ConnectAsync(Connector());
        Assert.False(connecting.IsCompleted);

        _time.Advance(AddressConnector.AddressTimeout);
        await connecting.Within();

        Assert.Equal(["10.0.0.1", "10.0.0.2"], _tried);
    }

    [Fact]
    public async Task NoAddressAnswers_SaysSo()
    {
        _down.UnionWith(_addresses);

        IOException e = await Assert.ThrowsAsync<IOException>(() => ConnectAsync(Connector()));

        Assert.StartsWith("none of the 3 addresses of store answers", e.Message, StringComparison.Ordinal);
        Assert.Equal(_addresses, _tried);
    }

    [Fact]
    public async Task OnlyAddress_FailsWithItsOwnError()
    {
        _addresses = ["10.0.0.1"];
        _down.Add("10.0.0.1");

        Assert.Equal(SocketError.ConnectionRefused, (await Assert.ThrowsAsync<SocketException>(() => ConnectAsync(Connector()))).SocketErrorCode);
    }

    [Fact]
    public async Task NameWithoutAddress_IsNotFound()
    {
        _addresses = [];

        Assert.Equal(SocketError.HostNotFound, (await Assert.ThrowsAsync<SocketException>(() => ConnectAsync(Connector()))).SocketErrorCode);
    }

    [Theory]
    [InlineData("192.0.2.7", "192.0.2.7")]
    [InlineData("[2001:db8::1]", "2001:db8::1")]
    [InlineData("2001:db8::1", "2001:db8::1")]
    public async Task Literal_IsNotResolved(string host, string address)
    {
        using Stream connection = await Connector().ConnectAsync(new DnsEndPoint(host, 9000), CancellationToken.None);

        Assert.Equal((0, address), (_resolved, _tried.Single()));
    }

    [Fact]
    public async Task Cancelled_WhileConnecting_TriesNoOther()
    {
        _silent.Add("10.0.0.1");
        using CancellationTokenSource cancel = new();
        Task<Stream> connecting = Connector().ConnectAsync(new DnsEndPoint("store", 9000), cancel.Token).AsTask();

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connecting.Within());
        Assert.Equal(["10.0.0.1"], _tried);
    }

    [Fact]
    public async Task ConnectionThatIsClosedAtOnce_IsNoConnection()
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        using Socket whole = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        using Socket reset = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

        await whole.ConnectAsync(listener.LocalEndPoint!);
        using Socket kept = await listener.AcceptAsync();
        await reset.ConnectAsync(listener.LocalEndPoint!);
        using (Socket closed = await listener.AcceptAsync())
        {
            closed.LingerState = new LingerOption(true, 0); // a reset, as a load balancer without a server behind it sends
        }

        Assert.True(reset.Poll(TimeSpan.FromSeconds(10), SelectMode.SelectRead)); // it has come
        Assert.Throws<SocketException>(() => AddressConnector.Connected(reset));
        using NetworkStream stream = AddressConnector.Connected(whole);
        Assert.True(stream.CanWrite);
    }

    private AddressConnector Connector() => new(ResolveAsync, OpenAsync, _time);

    private Task ConnectAsync(int times) => ConnectAsync(Connector(), times);

    private static async Task ConnectAsync(AddressConnector connector, int times = 1)
    {
        for (int i = 0; i < times; i++)
        {
            using Stream connection = await connector.ConnectAsync(new DnsEndPoint("store", 9000), CancellationToken.None);
        }
    }

    private Task<IPAddress[]> ResolveAsync(string host, CancellationToken cancellationToken)
    {
        _resolved++;
        return Task.FromResult(_addresses.Select(IPAddress.Parse).ToArray());
    }

    private async ValueTask<Stream> OpenAsync(IPEndPoint address, CancellationToken cancellationToken)
    {
        string name = address.Address.ToString();
        _tried.Add(name);
        if (_silent.Contains(name))
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, _time, cancellationToken);
        }

        return _down.Contains(name) ? throw new SocketException((int)SocketError.ConnectionRefused) : new MemoryStream();
    }
}
