"""The socket that our servers listen on: what is sent there leaves at once."""

from __future__ import annotations

import asyncio
import socket

from emubot.listening import LOOPBACK, listen


def test_a_server_sends_without_waiting_for_the_peer_s_acknowledgement() -> None:
    """Or a frame waits up to 40 ms behind the one before, as soon as the peer sends something, too."""

    async def accepted() -> int:
        told: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            told.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        server = await asyncio.start_server(meet, sock=listen(LOOPBACK, 0, "A test"))
        _, ours = await asyncio.open_connection(*server.sockets[0].getsockname())
        found = await told
        ours.close()
        await ours.wait_closed()
        server.close()
        await server.wait_closed()
        return found

    assert asyncio.run(accepted()) != 0, "TCP_NODELAY"
