using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

public class AddressConnectorTests
{
    private readonly SteppedClock _time = new();
    private readonly List<string> _tried = [];
    private readonly HashSet<string> _down = [];
    private readonly HashSet<string> _silent = [];
    private readonly HashSet<string> _deaf = [];
    private readonly ConcurrentDictionary<string, Gate> _slow = new();
    private readonly ConcurrentDictionary<string, Stream> _opened = new();
    private readonly ConcurrentBag<string> _canceled = [];
    private string[] _addresses = ["10.0.0.1", "10.0.0.2", "fd00::3"];
    private int _resolved;

    [Fact]
    public async Task Connections_UseEveryAddressInTurn()
    {
        await ConnectAsync(6);

        Assert.Equal(["10.0.0.1", "10.0.0.2", "fd00::3", "10.0.0.1", "10.0.0.2", "fd00::3"], _tried);
    }

    [Fact]
    public async Task NameServerShufflesAddresses_ConnectionsUseEveryAddressInTurn()
    {
        AddressConnector connector = Connector();
        for (int i = 0; i < 6; i++)
        {
            Array.Reverse(_addresses);
            await ConnectAsync(connector);
        }

        Assert.All(_tried.GroupBy(address => address), turns => Assert.Equal(2, turns.Count()));
        Assert.Equal(6, _resolved); // the name is resolved each time, so that new addresses are used
    }

    [Fact]
    public async Task AddressRefuses_IsSkippedAndTriedLastForAWhile()
    {
        _down.Add("10.0.0.1");
        AddressConnector connector = Connector();

        await ConnectAsync(connector, 4);
        Assert.Equal(["10.0.0.1", "fd00::3", "10.0.0.2", "fd00::3", "10.0.0.2"], _tried); // an address of the other family follows a failed one

        _tried.Clear();
        _down.Clear();
        _time.Advance(AddressRotation.Memory);
        await ConnectAsync(connector);
        Assert.Equal(["10.0.0.1"], _tried);
    }

    [Fact]
    public async Task AddressDoesNotRespond_NextStartsAfterADelayAndItIsTriedLastForAWhile()
    {
        _silent.Add("10.0.0.1");
        AddressConnector connector = Connector();
        Task<Stream> connecting = ConnectToAsync(connector);
        _time.Advance(TimeSpan.FromMilliseconds(250) - TimeSpan.FromMilliseconds(1));
        Assert.Equal(["10.0.0.1"], _tried);

        _time.Advance(TimeSpan.FromMilliseconds(1));
        using Stream connection = await connecting.Within();
        await ConnectAsync(connector, 2);

        Assert.Equal(["10.0.0.1", "fd00::3", "10.0.0.2", "fd00::3"], _tried);
        await Deadline.Until(() => _canceled.Contains("10.0.0.1"));
    }

    [Fact]
    public async Task AddressIsSlow_ContinuesDuringTheNextAttemptAndTheSlowerIsClosed()
    {
        Gate first = _slow["10.0.0.1"] = new Gate();
        Gate second = _slow["fd00::3"] = new Gate();
        Task<Stream> connecting = ConnectToAsync(Connector());
        _time.Advance(TimeSpan.FromMilliseconds(250));
        await second.Reached;

        first.Open();
        using Stream connection = await connecting.Within();
        second.Open();

        Assert.Same(_opened["10.0.0.1"], connection);
        Assert.True(connection.CanRead);
        await Deadline.Until(() => _canceled.Contains("fd00::3") || _opened.TryGetValue("fd00::3", out Stream? loser) && !loser.CanRead);
    }

    [Fact]
    public async Task SlowerAttempt_ConnectsLater_IsClosed()
    {
        Gate first = _slow["10.0.0.1"] = new Gate();
        _deaf.Add("10.0.0.1");
        Task<Stream> connecting = ConnectToAsync(Connector());
        _time.Advance(TimeSpan.FromMilliseconds(250));
        using Stream connection = await connecting.Within();

        first.Open();

        await Deadline.Until(() => _opened.TryGetValue("10.0.0.1", out Stream? loser) && !loser.CanRead);
        Assert.True(connection.CanRead);
    }

    [Fact]
    public async Task SlowAddress_StillConnectsFirst_IsNotTriedLast()
    {
        Gate first = _slow["10.0.0.1"] = new Gate();
        _silent.Add("fd00::3");
        AddressConnector connector = Connector();
        Task<Stream> connecting = ConnectToAsync(connector);
        _time.Advance(TimeSpan.FromMilliseconds(250));
        await Deadline.Until(() => Tried == 2);
        first.Open();
        using Stream connection = await connecting.Within();
        _silent.Clear();
        _tried.Clear();

        await ConnectAsync(connector, 3);

        Assert.Equal(["10.0.0.2", "10.0.0.1", "fd00::3"], _tried);
    }

    [Fact]
    public async Task AddressFamilyDoesNotRespond_CostsOneDelay()
    {
        _addresses = ["fd00::1", "fd00::2", "fd00::3", "fd00::4", "10.0.0.1"];
        _silent.UnionWith(_addresses[..4]);
        Task<Stream> connecting = ConnectToAsync(Connector());

        _time.Advance(TimeSpan.FromMilliseconds(250));
        using Stream connection = await connecting.Within();

        Assert.Equal(["fd00::1", "10.0.0.1"], _tried);
    }

    [Fact]
    public async Task NoResponse_AllAddressesAreTriedUntilTheCallerCancels()
    {
        _silent.UnionWith(_addresses);
        using CancellationTokenSource cancel = new();
        Task<Stream> connecting = Connector().ConnectAsync(new DnsEndPoint("store", 9000), cancel.Token).AsTask();
        _time.Advance(TimeSpan.FromMilliseconds(250));
        await Deadline.Until(() => Tried == 2);
        _time.Advance(TimeSpan.FromMilliseconds(250));
        await Deadline.Until(() => Tried == 3);
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.False(connecting.IsCompleted);

        await cancel.CancelAsync();

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connecting.Within());
        Assert.Equal(cancel.Token, e.CancellationToken);
        await Deadline.Until(() => _canceled.Count == 3);
        Assert.Equal(0, _time.ArmedTimers);
    }

    [Fact]
    public async Task LastAddressFails_EarlierAttemptContinues()
    {
        _addresses = ["10.0.0.1", "10.0.0.2"];
        Gate first = _slow["10.0.0.1"] = new Gate();
        _down.Add("10.0.0.2");
        Task<Stream> connecting = ConnectToAsync(Connector());
        _time.Advance(TimeSpan.FromMilliseconds(250));
        await Deadline.Until(() => Tried == 2);

        first.Open();

        using Stream connection = await connecting.Within();
        Assert.Same(_opened["10.0.0.1"], connection);
    }

    [Fact]
    public async Task AllAddressesFail_ErrorSaysSo()
    {
        _down.UnionWith(_addresses);

        IOException e = await Assert.ThrowsAsync<IOException>(() => ConnectAsync(Connector()));

        Assert.StartsWith("none of the 3 addresses of store accepted a connection", e.Message, StringComparison.Ordinal);
        Assert.Equal(_addresses.Order(StringComparer.Ordinal), _tried.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task OnlyAddress_FailsWithItsOwnError()
    {
        _addresses = ["10.0.0.1"];
        _down.Add("10.0.0.1");

        Assert.Equal(SocketError.ConnectionRefused, (await Assert.ThrowsAsync<SocketException>(() => ConnectAsync(Connector()))).SocketErrorCode);
    }

    [Fact]
    public async Task NameHasNoAddress_IsNotFound()
    {
        _addresses = [];

        Assert.Equal(SocketError.HostNotFound, (await Assert.ThrowsAsync<SocketException>(() => ConnectAsync(Connector()))).SocketErrorCode);
    }

    [Theory]
    [InlineData("192.0.2.7", "192.0.2.7")]
    [InlineData("[2001:db8::1]", "2001:db8::1")]
    [InlineData("2001:db8::1", "2001:db8::1")]
    public async Task IPAddress_IsNotResolved(string host, string address)
    {
        using Stream connection = await Connector().ConnectAsync(new DnsEndPoint(host, 9000), CancellationToken.None);

        Assert.EachEqual((0, address), (_resolved, _tried.Single()));
    }

    [Fact]
    public async Task Canceled_WhileConnecting_TriesNoOtherAddress()
    {
        _silent.Add("10.0.0.1");
        using CancellationTokenSource cancel = new();
        Task<Stream> connecting = Connector().ConnectAsync(new DnsEndPoint("store", 9000), cancel.Token).AsTask();

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connecting.Within());
        Assert.Equal(["10.0.0.1"], _tried);
    }

    [Fact]
    public async Task Connection_ClosedImmediately_IsNotUsed()
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
            closed.LingerState = new LingerOption(true, 0); // sends a reset, like a load balancer without a server
        }

        Assert.True(reset.Poll(TimeSpan.FromSeconds(10), SelectMode.SelectRead)); // the reset has arrived
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

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Redial_ConnectionsThatWait_BeginAgain(int addresses)
    {
        _addresses = _addresses[..addresses];
        _silent.UnionWith(_addresses);
        AddressConnector connector = Connector();
        Task<Stream> connecting = ConnectToAsync(connector);
        await Deadline.Until(() => Tried == 1);
        _time.Advance(TimeSpan.FromMilliseconds(250));
        await Deadline.Until(() => Tried == addresses);

        _silent.Clear();
        connector.Redial();

        await connecting.Within();
        await Deadline.Until(() => _canceled.Count == addresses);
        Assert.Equal(addresses + 1, Tried);
    }

    [Fact]
    public async Task Probe_AsksTheLatestAddress()
    {
        AddressConnector connector = Connector();
        Assert.True(await connector.ProbeAsync(CancellationToken.None)); // nothing is known yet, and nothing is sent
        Assert.Empty(_tried);
        await ConnectAsync(connector);
        _tried.Clear();

        Assert.True(await connector.ProbeAsync(CancellationToken.None).Within());
        Assert.Equal(["10.0.0.1"], _tried);

        _down.Add("10.0.0.1");
        Assert.True(await connector.ProbeAsync(CancellationToken.None).Within()); // it refuses, so it can be reached

        _silent.Add("10.0.0.1");
        using CancellationTokenSource timeout = new();
        Task<bool> probe = connector.ProbeAsync(timeout.Token);
        await timeout.CancelAsync();
        Assert.False(await probe.Within());
    }

    private async ValueTask<Stream> OpenAsync(IPEndPoint address, CancellationToken cancellationToken)
    {
        string name = address.Address.ToString();
        lock (_tried)
        {
            _tried.Add(name);
        }

        try
        {
            if (_silent.Contains(name))
            {
                await Task.Delay(Timeout.InfiniteTimeSpan, _time, cancellationToken);
            }

            if (_slow.TryGetValue(name, out Gate? gate))
            {
                await gate.PassAsync(_deaf.Contains(name) ? CancellationToken.None : cancellationToken);
            }
        }
        catch (OperationCanceledException)
        {
            _canceled.Add(name);
            throw;
        }

        return _down.Contains(name) ? throw new SocketException((int)SocketError.ConnectionRefused) : _opened[name] = new MemoryStream();
    }

    private int Tried
    {
        get
        {
            lock (_tried)
            {
                return _tried.Count;
            }
        }
    }

    private static Task<Stream> ConnectToAsync(AddressConnector connector) => connector.ConnectAsync(new DnsEndPoint("store", 9000), CancellationToken.None).AsTask();
}
