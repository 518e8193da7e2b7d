-- A server on 127.0.0.1 for one emubot at a time, by the compiled half of LuaSocket.
local function served_by(socket, port, patience, say)
    local server              -- nil while somebody else has the port
    local client              -- nil while nobody is attached
    local received = ""
    local heard = 0           -- when emubot's last message came
    local next_try, told = 0, false
    local wire = {}

    local function listen()
        if server or socket.gettime() < next_try then return end
        next_try = socket.gettime() + 2
        local made = (socket.tcp4 or socket.tcp)() -- LuaSocket 3 takes options only where the family is known
        -- Windows lets two programs share a port that both reuse, and needs no such leave to restart.
        if package.config:sub(1, 1) == "/" then made:setoption("reuseaddr", true) end
        if made:bind("127.0.0.1", port) and made:listen(4) then
            made:settimeout(0)
            server = made
            say("waiting at port " .. port .. "; start emubot whenever you like")
        else
            made:close()
            if not told then say("port " .. port .. " is taken, by another emulator perhaps; trying again and again") end
            told = true
        end
    end

    function wire.open() return client ~= nil end

    function wire.close()
        if client then client:close() end
        client, received = nil, ""
    end

    function wire.stop()
        wire.close()
        if server then server:close() end
        server = nil
    end

    -- One at a time; who fell silent makes room.
    function wire.meet(in_step)
        listen()
        local caller = server and server:accept()
        if not caller then return false end
        caller:setoption("tcp-nodelay", true)
        if client and (in_step or socket.gettime() - heard < patience) then
            caller:settimeout(patience, "t")
            caller:send(framed("E", 0, "another emubot plays here already: end it first"))
            caller:close()
            return false
        end
        wire.close()
        client, heard = caller, socket.gettime()
        return true
    end

    function wire.send(bytes)
        client:settimeout(patience, "t")
        return client:send(bytes) ~= nil
    end

    -- Nil where none comes whole in so many seconds. What is no message comes back as it is.
    function wire.message(seconds)
        local due = socket.gettime() + seconds
        local wanted = HEADER
        while client do
            if #received >= HEADER then
                wanted = HEADER + read_number(received, 9)
                if received:sub(1, 3) ~= "EMU" or wanted > HEADER + LARGEST or #received >= wanted then break end
            end
            client:settimeout(math.max(due - socket.gettime(), 0), "t")
            local text, failure, part = client:receive(wanted, received)
            received = text or part
            if failure == "timeout" then return nil end
            if failure then wire.close() end
        end
        if not client then return nil end
        local whole = received
        received, heard = "", socket.gettime()
        return whole
    end

    listen()
    return wire
end
